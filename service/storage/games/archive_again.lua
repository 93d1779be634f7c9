-- Of a game that stands in the archive, or waits for that: it has changed, and is to be archived again.
local function archive_again(game, to_archive, id)
  if redis.call('HEXISTS', game, 'archived') == 1 or redis.call('ZSCORE', to_archive, id) then
    redis.call('ZADD', to_archive, 0, id)
  end
end


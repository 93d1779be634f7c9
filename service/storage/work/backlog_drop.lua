-- Forgets pieces: they are done, or nobody wants them any more.
--
-- KEYS  1 pieces  2 short  3 long  4 callers  5 taken  6 attempts     ARGV  names of pieces
-- Answer: how many were there
local damaged = wrong_type({'hash', 'zset', 'zset', 'hash', 'zset', 'hash'})
if damaged then return damaged end
local dropped = 0
for _, name in ipairs(ARGV) do
  local piece = redis.call('HGET', KEYS[1], name)
  if piece then
    local cost, caller = string.match(piece, '^(%d+) (.*)$')
    redis.call('HDEL', KEYS[1], name)
    for _, list in ipairs({KEYS[2], KEYS[3], KEYS[5]}) do redis.call('ZREM', list, name) end
    redis.call('HDEL', KEYS[6], name)
    if redis.call('HINCRBY', KEYS[4], caller, '-' .. cost) <= 0 then redis.call('HDEL', KEYS[4], caller) end
    dropped = dropped + 1
  end
end
return dropped

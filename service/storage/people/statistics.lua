-- Counts a finished game in the statistics of one of its players, once.
--
-- KEYS      1 player  2 statistics  3 counted games
-- arguments game; ended, unix ms; window: ms after its end in which a game may be counted; won; score; fields
-- Answer    counted (also if it was counted before: nothing changes) | gone | late
local arguments = cmsgpack.unpack(ARGV[1])
local damaged = wrong_type({'hash', 'hash', 'zset'})
if damaged then return damaged end
if redis.call('EXISTS', KEYS[1]) == 0 then return 'gone' end
local now = 1000 * redis.call('TIME')[1]
if redis.call('ZSCORE', KEYS[3], arguments.game) then return 'counted' end
if arguments.ended < now - arguments.window then return 'late' end

-- A removed game is late, so it is not counted again.
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('(%.17g', now - 2 * arguments.window))
redis.call('ZADD', KEYS[3], arguments.ended, arguments.game)
for _, field in ipairs(arguments.fields) do
  local games, wins, best, streak, longest = 0, 0, arguments.score, 0, 0
  local stored = redis.call('HGET', KEYS[2], field)
  if stored then
    local former_best
    games, wins, former_best, streak, longest = string.match(stored, '^(%S+) (%S+) (%S+) (%S+) (%S+)$')
    best = math.max(best, tonumber(former_best))
  end
  streak = arguments.won and tonumber(streak) + 1 or 0
  longest = math.max(streak, tonumber(longest))
  wins = wins + (arguments.won and 1 or 0)
  redis.call('HSET', KEYS[2], field, string.format('%d %d %d %d %d', games + 1, wins, best, streak, longest))
end
local lifetime = redis.call('PTTL', KEYS[1])
if lifetime > 0 then
  for n = 2, 3 do redis.call('PEXPIRE', KEYS[n], lifetime) end
end
return 'counted'

-- Counts a game that has ended in the statistics of one of its players, once.
--
-- KEYS  1 player  2 statistics  3 games that were counted
-- ARGV  1 game  2 unix ms when it ended  3 how long after its end a game may be counted, ms  4 won (0/1)  5 score
--       then the fields in which it counts
-- Answer: counted (also where it had been: nothing is changed then) | gone | late
local damaged = wrong_type({'hash', 'hash', 'zset'})
if damaged then return damaged end
if redis.call('EXISTS', KEYS[1]) == 0 then return 'gone' end
local clock = redis.call('TIME')
local now, window = 1000 * tonumber(clock[1]), tonumber(ARGV[3])
if redis.call('ZSCORE', KEYS[3], ARGV[1]) then return 'counted' end
if tonumber(ARGV[2]) < now - window then return 'late' end

-- What is forgotten here is late above.
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('(%.17g', now - 2 * window))
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
for n = 6, #ARGV do
  local games, wins, best, streak, longest = 0, 0, tonumber(ARGV[5]), 0, 0
  local stored = redis.call('HGET', KEYS[2], ARGV[n])
  if stored then
    local most
    games, wins, most, streak, longest = string.match(stored, '^(%S+) (%S+) (%S+) (%S+) (%S+)$')
    best = math.max(best, tonumber(most))
  end
  streak = ARGV[4] == '1' and tonumber(streak) + 1 or 0
  longest = math.max(streak, tonumber(longest))
  local counted = {games + 1, wins + ARGV[4], best, streak, longest}
  redis.call('HSET', KEYS[2], ARGV[n], string.format('%d %d %d %d %d', unpack(counted)))
end
local lifetime = redis.call('PTTL', KEYS[1])
if lifetime > 0 then
  for n = 2, 3 do redis.call('PEXPIRE', KEYS[n], lifetime) end
end
return 'counted'

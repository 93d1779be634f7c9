-- Counts a rated game of two players among those of one day, once.
--
-- KEYS  1 meetings    ARGV  1 game  2 lifetime, ms
-- Answer: how many were counted before it.
local damaged = wrong_type({'zset'})
if damaged then return damaged end
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  redis.call('ZADD', KEYS[1], redis.call('ZCARD', KEYS[1]), ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]))

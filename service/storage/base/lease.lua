-- Holds one of a caller's places, or holds it longer.
--
-- KEYS  1 places (ZSET: holder -> unix ms when it ends)     ARGV  1 holder  2 lifetime, ms  3 number of places
-- Answer 1: held; 0: all places are taken
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local lifetime = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) and not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  return 0
end
redis.call('ZADD', KEYS[1], now + lifetime, ARGV[1])
if redis.call('PTTL', KEYS[1]) < lifetime then redis.call('PEXPIRE', KEYS[1], lifetime) end
return 1

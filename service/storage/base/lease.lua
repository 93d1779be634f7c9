-- Holds one of a caller's places, or holds it longer.
--
-- KEYS  1 places (ZSET: holder -> unix ms when it ends)     given  holder; lifetime, ms; places, how many there are
-- Answer 1: held; 0: all places are taken
local given = cmsgpack.unpack(ARGV[1])
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= given.places and not redis.call('ZSCORE', KEYS[1], given.holder) then return 0 end
redis.call('ZADD', KEYS[1], now + given.lifetime, given.holder)
if redis.call('PTTL', KEYS[1]) < given.lifetime then redis.call('PEXPIRE', KEYS[1], given.lifetime) end
return 1

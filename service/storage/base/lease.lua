-- Holds one of a caller's places, or holds it longer.
--
-- KEYS  1 places (ZSET: holder -> unix ms when it ends)     given  holder; lifetime, ms; places, how many there are
-- Answer 1: held; 0: all places are taken
local given = cmsgpack.unpack(ARGV[1])
local now = now_ms()
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= given.places and not redis.call('ZSCORE', KEYS[1], given.holder) then return 0 end
redis.call('ZADD', KEYS[1], now + given.lifetime, given.holder)
outlive(KEYS[1], given.lifetime)
return 1

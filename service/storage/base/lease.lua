-- Leases one of a caller's places, or prolongs the holder's lease.
--
-- KEYS      1 places (ZSET: holder -> unix ms when its lease ends)
-- arguments holder; lifetime, ms; places, their number
-- Answer    1: leased; 0: all places are taken
local arguments = cmsgpack.unpack(ARGV[1])
local now = now_ms()
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local is_full = redis.call('ZCARD', KEYS[1]) >= arguments.places
if is_full and not redis.call('ZSCORE', KEYS[1], arguments.holder) then return 0 end
redis.call('ZADD', KEYS[1], now + arguments.lifetime, arguments.holder)
outlive(KEYS[1], arguments.lifetime)
return 1

-- A new delivery, once, however often it is made; only while its webhook is there. The oldest make room for it.
--
-- KEYS  1 webhooks  2 deliveries  3 latest  4 due
-- ARGV  1 webhook id  2 delivery id  3 the delivery  4 due: unix ms  5 how many are kept  6 what a name in due begins with
-- Answer: 1 if it was made
local damaged = wrong_type({'hash', 'hash', 'list', 'zset'})
if damaged then return damaged end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
if redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[3]) == 0 then return 0 end
redis.call('LPUSH', KEYS[3], ARGV[2])
redis.call('ZADD', KEYS[4], ARGV[4], ARGV[6] .. ARGV[2])
while redis.call('LLEN', KEYS[3]) > tonumber(ARGV[5]) do
  local oldest = redis.call('RPOP', KEYS[3])
  redis.call('HDEL', KEYS[2], oldest)
  redis.call('ZREM', KEYS[4], ARGV[6] .. oldest)
end
local lifetime = redis.call('PTTL', KEYS[1])
redis.call('PEXPIRE', KEYS[2], lifetime)
redis.call('PEXPIRE', KEYS[3], lifetime)
if redis.call('PTTL', KEYS[4]) < lifetime then redis.call('PEXPIRE', KEYS[4], lifetime) end
return 1

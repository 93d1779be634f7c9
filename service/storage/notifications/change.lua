-- Changes a webhook or a delivery, if it is still as it was read; of a delivery also when it is due.
--
-- KEYS  1 webhooks, or deliveries  2 due, for a delivery
-- ARGV  1 id  2 as it was read  3 as it is to be  4 its name in due  5 due: unix ms, '' not
-- Answer: 1 if it was changed. Who loses this answer reads again and changes what he finds, so a change must bear that.
local damaged = wrong_type({'hash', 'zset'})
if damaged then return damaged end
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
if KEYS[2] then
  if ARGV[5] == '' then
    redis.call('ZREM', KEYS[2], ARGV[4])
  else
    redis.call('ZADD', KEYS[2], ARGV[5], ARGV[4])
    local lifetime = redis.call('PTTL', KEYS[1])
    if redis.call('PTTL', KEYS[2]) < lifetime then redis.call('PEXPIRE', KEYS[2], lifetime) end
  end
end
return 1

-- One request out of a caller's budget. What is refused writes nothing.
--
-- KEYS  1 count     ARGV  1 quota  2 window, ms
-- Answer {requests left after this one, or -1: refused; ms until the window ends}
local quota = tonumber(ARGV[1])
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count == 0 then
  redis.call('SET', KEYS[1], 1, 'PX', ARGV[2])
  return {quota - 1, tonumber(ARGV[2])}
end
local left = redis.call('PTTL', KEYS[1])
if count >= quota then return {-1, left} end
redis.call('INCR', KEYS[1])
return {quota - count - 1, left}

-- Counts a request of a caller's budget. A refused request writes nothing.
--
-- KEYS      1 count
-- arguments quota; window, ms
-- Answer    {requests left after this one, or -1: refused; ms until the window ends}
local arguments = cmsgpack.unpack(ARGV[1])
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count == 0 then
  redis.call('SET', KEYS[1], 1, 'PX', arguments.window)
  return {arguments.quota - 1, arguments.window}
end
local left = redis.call('PTTL', KEYS[1])
if count >= arguments.quota then return {-1, left} end
redis.call('INCR', KEYS[1])
return {arguments.quota - count - 1, left}

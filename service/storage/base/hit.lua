-- Counts a request of a caller's budget. A refused request writes nothing.
--
-- KEYS  1 count     given  quota; window, ms
-- Answer {requests left after this one, or -1: refused; ms until the window ends}
local given = cmsgpack.unpack(ARGV[1])
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count == 0 then
  redis.call('SET', KEYS[1], 1, 'PX', given.window)
  return {given.quota - 1, given.window}
end
local left = redis.call('PTTL', KEYS[1])
if count >= given.quota then return {-1, left} end
redis.call('INCR', KEYS[1])
return {given.quota - count - 1, left}

-- Gives back pieces whose lease has run out: whoever had taken them was killed.
--
-- KEYS  1 long  2 clock  3 taken  4 attempts  5 pieces     ARGV  1 now, unix ms  2 how often a piece is tried
-- Answer: names of pieces that were tried so often, which stay leased for nobody until they are dropped
local damaged = wrong_type({'zset', 'string', 'zset', 'hash', 'hash'})
if damaged then return damaged end
local given_up = {}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[1], 'LIMIT', 0, 100)) do
  if redis.call('HEXISTS', KEYS[5], name) == 0 then
    redis.call('ZREM', KEYS[3], name)
  elseif tonumber(redis.call('HGET', KEYS[4], name) or '0') >= tonumber(ARGV[2]) then
    given_up[#given_up + 1] = name
  else
    redis.call('ZREM', KEYS[3], name)
    redis.call('ZADD', KEYS[1], redis.call('GET', KEYS[2]) or '0', name)
  end
end
return given_up

-- A new seek, where its player, and all together, have not too many.
--
-- KEYS  1 seeks  2 when they end  3 seeks of the player  4 which game it has become
-- ARGV  1 id  2 the seek  3 unix ms when it ends  4 how many a player may have  5 all together  6 unix ms now
-- Answer: done | own | all, of which there are too many. Who has lost the answer sends the same again.
local damaged = wrong_type({'hash', 'zset', 'set', 'string'})
if damaged then return damaged end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 or redis.call('EXISTS', KEYS[4]) == 1 then return 'done' end
for _, id in ipairs(redis.call('SMEMBERS', KEYS[3])) do
  local ends = redis.call('ZSCORE', KEYS[2], id)
  if not ends or tonumber(ends) <= tonumber(ARGV[6]) then redis.call('SREM', KEYS[3], id) end
end
if redis.call('SCARD', KEYS[3]) >= tonumber(ARGV[4]) then return 'own' end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[5]) then return 'all' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('SADD', KEYS[3], ARGV[1])
redis.call('PEXPIRE', KEYS[3], 172800000)  -- no seek lives longer
return 'done'

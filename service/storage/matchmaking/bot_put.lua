-- What a bot plays is as it says now, where there is room for one more.
--
-- KEYS  1 bots  2 when they were seen  3 when they failed  4 the bots' arena
-- ARGV  1 player id  2 what it plays  3 how many bots there may be  4 1: it takes part in the arena
-- Answer: done | full.
local damaged = wrong_type({'hash', 'zset', 'zset', 'zset'})
if damaged then return damaged end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  return 'full'
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
for n = 2, 3 do redis.call('ZADD', KEYS[n], 'NX', 0, ARGV[1]) end
if ARGV[4] == '1' then
  redis.call('ZADD', KEYS[4], 'NX', 0, ARGV[1])
else
  redis.call('ZREM', KEYS[4], ARGV[1])
end
return 'done'

-- A game stands in the archive as it was when it was taken, if it was not changed since, nor taken by another.
--
-- KEYS  1 game  2 to archive     ARGV  1 game id  2 unix ms until which it was taken  3 its revision then
-- Answer: 1; 0 where it is to be archived once more.
local damaged = wrong_type({'hash', 'zset'})
if damaged then return damaged end
local due = redis.call('ZSCORE', KEYS[2], ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'archived', ARGV[3]) end
if due and tonumber(due) == tonumber(ARGV[2]) then
  redis.call('ZREM', KEYS[2], ARGV[1])
  return 1
end
redis.call('ZADD', KEYS[2], 'NX', 0, ARGV[1])
return 0

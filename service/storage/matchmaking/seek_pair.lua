-- Some seeks become a game, if all of them are still open; no player is left with another seek.
--
-- KEYS  1 seeks  2 when they end  3 pairings  4 pairings due  5 hub
--       6.. of each seek: the seeks of its player | which game it has become
-- ARGV  1 unix ms now  2 id of the game to come  3 the pairing  4 unix ms when a keeper carries it out
--       5 lifetime of what a seek has become, ms  6 number of seeks  then their ids
-- Answer: done | gone, of which nothing has changed.
local number = tonumber(ARGV[6])
local types = {'hash', 'zset', 'hash', 'zset', 'stream'}
for n = 1, number do
  types[5 + n] = 'set'
  types[5 + number + n] = 'string'
end
local damaged = wrong_type(types)
if damaged then return damaged end
if redis.call('HEXISTS', KEYS[3], ARGV[2]) == 1 then return 'done' end
for n = 1, number do
  local ends = redis.call('ZSCORE', KEYS[2], ARGV[6 + n])
  if not ends or tonumber(ends) <= tonumber(ARGV[1]) then return 'gone' end
  if redis.call('HEXISTS', KEYS[1], ARGV[6 + n]) == 0 then return 'gone' end
end

for n = 1, number do
  local seek = redis.call('HGET', KEYS[1], ARGV[6 + n])
  redis.call('SET', KEYS[5 + number + n], ARGV[2] .. ' ' .. seek, 'PX', ARGV[5])
end
for n = 1, number do
  for _, id in ipairs(redis.call('SMEMBERS', KEYS[5 + n])) do
    redis.call('HDEL', KEYS[1], id)
    redis.call('ZREM', KEYS[2], id)
    redis.call('XADD', KEYS[5], 'MAXLEN', '~', 10000, '*', 'g', 'seek:' .. id, 'r', 1)
  end
  redis.call('DEL', KEYS[5 + n])
end
redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
redis.call('ZADD', KEYS[4], ARGV[4], ARGV[2])
return 'done'

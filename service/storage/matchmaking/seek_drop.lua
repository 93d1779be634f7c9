-- A seek is no more: withdrawn, or over because nobody has kept it.
--
-- KEYS  1 seeks  2 when they end  3 seeks of the player  4 hub
-- ARGV  1 id  2 unix ms: only if it has ended by then; '': in any case
-- Answer: 1 if it was there.
local damaged = wrong_type({'hash', 'zset', 'set', 'stream'})
if damaged then return damaged end
local ends = redis.call('ZSCORE', KEYS[2], ARGV[1])
if ends and ARGV[2] ~= '' and tonumber(ends) > tonumber(ARGV[2]) then return 0 end
local there = redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('SREM', KEYS[3], ARGV[1])
redis.call('XADD', KEYS[4], 'MAXLEN', '~', 10000, '*', 'g', 'seek:' .. ARGV[1], 'r', 1)
return there

-- What is new about a task, or one of its parts. A task that is gone stays gone: what comes too late for it is dropped.
--
-- KEYS  1 task  2 parts  3 hub     ARGV  1 task id  2 number of the part, '' none  3 the part  then field, value ...
-- Answer: {version, how many parts there are}; nothing if there is no such task.
local damaged = wrong_type({'hash', 'hash', 'stream'})
if damaged then return damaged end
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local version = redis.call('HINCRBY', KEYS[1], 'version', 1)
if ARGV[2] ~= '' then
  redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[3])
  redis.call('PEXPIRE', KEYS[2], redis.call('PTTL', KEYS[1]))
end
if #ARGV > 3 then redis.call('HSET', KEYS[1], unpack(ARGV, 4)) end
redis.call('XADD', KEYS[3], 'MAXLEN', '~', 10000, '*', 'g', ARGV[1] .. ':task', 'r', version)
return {version, redis.call('HLEN', KEYS[2])}

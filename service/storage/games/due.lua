-- Moves the moment a due decision, or a time, is looked at again; only while it is due at that revision.
--
-- KEYS  1 game  2 due, or timeouts     ARGV  1 game id  2 revision  3 until, unix ms  4 attempts to count (-1/0/1)
--       5 only if there were so many attempts before; '' for any number
-- Answer: attempts so far with this one; nothing if the decision was made, fell away, or was taken on since.
local damaged = wrong_type({'hash', 'zset'})
if damaged then return damaged end
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[2] then return false end
if not redis.call('ZSCORE', KEYS[2], ARGV[1]) then return false end
if ARGV[5] ~= '' and (redis.call('HGET', KEYS[1], 'attempts') or '0') ~= ARGV[5] then return false end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
if ARGV[4] == '0' then return tonumber(redis.call('HGET', KEYS[1], 'attempts')) end
return redis.call('HINCRBY', KEYS[1], 'attempts', ARGV[4])

-- A keeper has looked at a competition: it is due again then, unless it has changed meanwhile, which tells when.
--
-- KEYS  1 competition  2 competitions due
-- ARGV  1 id  2 version that was looked at  3 unix ms, '' never
-- Answer: 1 if it was of that version.
local damaged = wrong_type({'hash', 'zset'})
if damaged then return damaged end
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[2] then return 0 end
if ARGV[3] == '' then redis.call('ZREM', KEYS[2], ARGV[1]) else redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1]) end
return 1

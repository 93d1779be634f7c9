-- Puts a game back that was forgotten, and stands in the archive.
--
-- KEYS  1 game  2 tokens  3 expiry     ARGV  1 game id  2 lifetime, ms  3 number of fields
--       then field, value | digest, roles
-- Answer: 1; 0 where there is a game.
local damaged = wrong_type({'hash', 'hash', 'zset'})
if damaged then return damaged end
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local clock = redis.call('TIME')
local expires = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000) + tonumber(ARGV[2])
local expires_text = string.format('%d', expires)
local tokens = 4 + 2 * tonumber(ARGV[3])
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[1], 'expires', expires_text, unpack(ARGV, 4, tokens - 1))
if #ARGV >= tokens then redis.call('HSET', KEYS[2], unpack(ARGV, tokens)) end
redis.call('PEXPIREAT', KEYS[1], expires_text)
redis.call('PEXPIREAT', KEYS[2], expires_text)
redis.call('ZADD', KEYS[3], expires, ARGV[1])
return 1

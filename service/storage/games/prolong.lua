-- Has a game live for so long at least.
--
-- KEYS  1 game  2 log  3 tokens  4 messages  5 checkpoints  6 expiry     ARGV  1 game id  2 lifetime, ms
local damaged = wrong_type({'hash', 'stream', 'hash', 'stream', 'hash', 'zset'})
if damaged then return damaged end
local before = redis.call('HGET', KEYS[1], 'expires')
if not before then return end
local clock = redis.call('TIME')
local expires = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000) + tonumber(ARGV[2])
if tonumber(before) >= expires then return end
local expires_text = string.format('%d', expires)
redis.call('HSET', KEYS[1], 'expires', expires_text)
for k = 1, #KEYS - 1 do redis.call('PEXPIREAT', KEYS[k], expires_text) end
redis.call('ZADD', KEYS[#KEYS], expires, ARGV[1])

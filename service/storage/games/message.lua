-- Puts down a message beside a game: it lives as long as the game, and only the last ones are kept.
--
-- KEYS  1 game  2 messages  3 hub     ARGV  1 game id  2 how many are kept  3 the message
-- Answer: its number; nothing if there is no such game.
local damaged = wrong_type({'hash', 'stream', 'stream'})
if damaged then return damaged end
local expires = redis.call('HGET', KEYS[1], 'expires')
if not expires then return false end
local number = redis.call('HINCRBY', KEYS[1], 'messages', 1)
redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[2], number .. '-0', 'm', ARGV[3])
redis.call('PEXPIREAT', KEYS[2], expires)
redis.call('XADD', KEYS[3], 'MAXLEN', '~', 10000, '*', 'g', ARGV[1] .. ':messages', 'r', number)
return number

-- Changes the token of a role that nobody can see in the game: the old ones end, the new one holds; players keep theirs.
--
-- KEYS  1 game  2 tokens  3 to archive     ARGV  1 role  2 digest of the new token  3 game id
-- Answer: 1; nothing if there is no such game.
local damaged = wrong_type({'hash', 'hash', 'zset'})
if damaged then return damaged end
local expires = redis.call('HGET', KEYS[1], 'expires')
if not expires then return false end
local held = redis.call('HGETALL', KEYS[2])
for n = 1, #held, 2 do
  if held[n + 1] == ARGV[1] and string.sub(held[n], 1, 7) ~= 'player:' then redis.call('HDEL', KEYS[2], held[n]) end
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('PEXPIREAT', KEYS[2], expires)
archive_again(KEYS[1], KEYS[3], ARGV[3])
return 1

-- Takes out of a game what tells who a player was, if it is at the revision at which that was looked for.
--
-- KEYS  1 game  2 log  3 tokens  4 messages  5 checkpoints  6 games of the player  7 turns of the player
--       8 to archive
-- ARGV  1 revision  2 game id  3 the player's name among the tokens  4 number of fields  5 whether the log is
--       written anew, as fields (0/1)  then field, value | numbers of messages
-- Answer: done | stale | missing
local damaged = wrong_type({'hash', 'stream', 'hash', 'stream', 'hash', 'zset', 'zset', 'zset'})
if damaged then return damaged end
local revision = redis.call('HGET', KEYS[1], 'revision')
if not revision then return 'missing' end
if revision ~= ARGV[1] then return 'stale' end

local messages = 6 + 2 * tonumber(ARGV[4])
if ARGV[5] == '1' then
  redis.call('DEL', KEYS[2])
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    if string.sub(field, 1, 4) == 'log:' then redis.call('HDEL', KEYS[1], field) end
  end
end
for n = 6, messages - 1, 2 do redis.call('HSET', KEYS[1], ARGV[n], ARGV[n + 1]) end
for n = messages, #ARGV do redis.call('XDEL', KEYS[4], ARGV[n] .. '-0') end
redis.call('DEL', KEYS[5])  -- they are computed again
redis.call('HDEL', KEYS[3], ARGV[3])
redis.call('ZREM', KEYS[6], ARGV[2])
redis.call('ZREM', KEYS[7], ARGV[2])
archive_again(KEYS[1], KEYS[8], ARGV[2])
return 'done'

-- Takes out of a game what tells who a player was, if it is at the revision at which that was looked for.
--
-- KEYS  1 game  2 log  3 tokens  4 messages  5 checkpoints  6 games of the player  7 turns of the player
-- ARGV  1 revision  2 game id  3 the player's name among the tokens  4 number of fields  5 of entries of the log
--       then field, value | revision, entry | numbers of messages
-- Answer: done | stale | missing
local damaged = wrong_type({'hash', 'stream', 'hash', 'stream', 'hash', 'zset', 'zset'})
if damaged then return damaged end
local revision = redis.call('HGET', KEYS[1], 'revision')
if not revision then return 'missing' end
if revision ~= ARGV[1] then return 'stale' end

local entries = 6 + 2 * tonumber(ARGV[4])
local messages = entries + 2 * tonumber(ARGV[5])
if entries > 6 then redis.call('HSET', KEYS[1], unpack(ARGV, 6, entries - 1)) end
if messages > entries then
  local replaced = {}
  for n = entries, messages - 1, 2 do replaced[ARGV[n] .. '-0'] = ARGV[n + 1] end
  local log = redis.call('XRANGE', KEYS[2], '-', '+')
  redis.call('DEL', KEYS[2])
  for _, entry in ipairs(log) do
    local content = entry[2]
    if replaced[entry[1]] then
      for n = 1, #content, 2 do
        if content[n] == 'e' then content[n + 1] = replaced[entry[1]] end
      end
    end
    redis.call('XADD', KEYS[2], entry[1], unpack(content))
  end
  redis.call('PEXPIREAT', KEYS[2], redis.call('HGET', KEYS[1], 'expires'))
end
for n = messages, #ARGV do redis.call('XDEL', KEYS[4], ARGV[n] .. '-0') end
redis.call('DEL', KEYS[5])  -- they are computed again
redis.call('HDEL', KEYS[3], ARGV[3])
redis.call('ZREM', KEYS[6], ARGV[2])
redis.call('ZREM', KEYS[7], ARGV[2])
return 'done'

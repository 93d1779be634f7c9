-- A bot is somebody's, or nobody's any more.
--
-- KEYS  1 bots  2 their owners
-- ARGV  1 player id of the bot  2 the owner to be ('': none)  3 whose it must be now ('': whoever's)
--       4 how many bots an owner may have
-- Answer: done | gone, it is no bot, or another's | full.
local damaged = wrong_type({'hash', 'hash'})
if damaged then return damaged end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 'gone' end
local owner = redis.call('HGET', KEYS[2], ARGV[1]) or ''
if ARGV[3] ~= '' and owner ~= ARGV[3] then return 'gone' end
if owner == ARGV[2] then return 'done' end
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[2], ARGV[1])
  return 'done'
end
local owned, fields = 0, redis.call('HGETALL', KEYS[2])
for n = 2, #fields, 2 do
  if fields[n] == ARGV[2] then owned = owned + 1 end
end
if owned >= tonumber(ARGV[4]) then return 'full' end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 'done'

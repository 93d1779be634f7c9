-- Changes a player, if a field is still as it was read, and notes what follows from it in other slots.
--
-- KEYS  1 player  2 follow-ups  3 follow-ups due
-- ARGV  1 the field  2 as it was read ('': it was not there)  3 tokens that may be there afterwards
--       4 lifetime, ms ('': as it is)  5 id of the follow-up ('': there is none)  6 the follow-up  7 unix ms when it is due
--       8 number of fields that are set  then field, value | fields that are dropped
-- Answer: done | changed | full. Who has lost an answer sends the same again, and finds it done.
local damaged = wrong_type({'hash', 'hash', 'zset'})
if damaged then return damaged end
local set, dropped = 2 * tonumber(ARGV[8]), 9 + 2 * tonumber(ARGV[8])

local already = set > 0 or #ARGV >= dropped
for n = 9, dropped - 1, 2 do
  if redis.call('HGET', KEYS[1], ARGV[n]) ~= ARGV[n + 1] then already = false end
end
for n = dropped, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[n]) == 1 then already = false end
end
if already then return 'done' end

local is_new = ARGV[1] == 'created_at' and ARGV[2] == ''
if redis.call('EXISTS', KEYS[1]) == 0 and not is_new then return 'changed' end
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 'changed' end

local tokens = 0
local function count(field, present, by)
  if string.sub(field, 1, 5) == 'token' and redis.call('HEXISTS', KEYS[1], field) == present then tokens = tokens + by end
end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do count(field, 1, 1) end
for n = 9, dropped - 1, 2 do count(ARGV[n], 0, 1) end
for n = dropped, #ARGV do count(ARGV[n], 1, -1) end
if tokens > tonumber(ARGV[3]) then return 'full' end

if set > 0 then redis.call('HSET', KEYS[1], unpack(ARGV, 9, dropped - 1)) end
if #ARGV >= dropped then redis.call('HDEL', KEYS[1], unpack(ARGV, dropped)) end
if ARGV[4] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[5], ARGV[6])
  redis.call('ZADD', KEYS[3], ARGV[7], ARGV[5])
end
return 'done'

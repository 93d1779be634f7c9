-- Changes a player, if a field is still as it was read, and notes what follows from it in other slots.
--
-- KEYS  1 player  2 follow-ups  3 follow-ups due
-- ARGV  1 the field  2 as it was read ('': it was not there)  3 lifetime, ms ('': as it is; 0: the player is deleted)
--       4 id of the follow-up ('': there is none)  5 the follow-up  6 unix ms when it is due
--       7 how fields begin that are limited ('': none)  8 how many of them may be there afterwards
--       9 number of fields that are set  then field, value | fields that are dropped
-- Answer: done | changed | full. Who has lost an answer sends the same again, and finds it done.
local damaged = wrong_type({'hash', 'hash', 'zset'})
if damaged then return damaged end
local first, dropped = 10, 10 + 2 * tonumber(ARGV[9])

local already = #ARGV >= first
for n = first, dropped - 1, 2 do
  if redis.call('HGET', KEYS[1], ARGV[n]) ~= ARGV[n + 1] then already = false end
end
for n = dropped, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[n]) == 1 then already = false end
end
if already then return 'done' end

local is_new = ARGV[1] == 'created_at' and ARGV[2] == ''
if redis.call('EXISTS', KEYS[1]) == 0 and not is_new then return 'changed' end
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 'changed' end

if ARGV[7] ~= '' then
  local limited = 0
  local function count(field, present, by)
    local is_limited = string.sub(field, 1, #ARGV[7]) == ARGV[7]
    if is_limited and redis.call('HEXISTS', KEYS[1], field) == present then limited = limited + by end
  end
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do count(field, 1, 1) end
  for n = first, dropped - 1, 2 do count(ARGV[n], 0, 1) end
  if limited > tonumber(ARGV[8]) then return 'full' end
end

if dropped > first then redis.call('HSET', KEYS[1], unpack(ARGV, first, dropped - 1)) end
if #ARGV >= dropped then redis.call('HDEL', KEYS[1], unpack(ARGV, dropped)) end
if ARGV[3] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[4], ARGV[5])
  redis.call('ZADD', KEYS[3], ARGV[6], ARGV[4])
end
return 'done'

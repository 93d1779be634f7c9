-- Puts pieces of work into the backlog, all or none; those that are there already stay where they are.
--
-- KEYS  1 pieces  2 short  3 long  4 flows  5 clock  6 callers  7 attempts  8 taken
-- ARGV  1 caller  2 most that a caller may have waiting, ms; 0: as much as they like  3 cost of each piece, ms
--       4 whether they are short (0/1)  5 lifetime of all this from now, ms  then names of pieces
-- Answer {'done'} | {'full', what the caller has waiting, ms}
local damaged = wrong_type({'hash', 'zset', 'zset', 'zset', 'string', 'hash', 'hash', 'zset'})
if damaged then return damaged end
local caller, most, cost, short = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local new = {}
for n = 6, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[n]) == 0 then new[#new + 1] = ARGV[n] end
end
local queued = tonumber(redis.call('HGET', KEYS[6], caller) or '0')
if most > 0 and queued + #new * cost > most then return {'full', queued} end
local flow = caller .. (short and ' short' or ' long')
local finish = math.max(tonumber(redis.call('GET', KEYS[5]) or '0'), tonumber(redis.call('ZSCORE', KEYS[4], flow) or '0'))
for _, name in ipairs(new) do
  finish = finish + cost
  redis.call('ZADD', short and KEYS[2] or KEYS[3], string.format('%d', finish), name)
  redis.call('HSET', KEYS[1], name, string.format('%d', cost) .. ' ' .. caller)
end
redis.call('ZADD', KEYS[4], string.format('%d', finish), flow)
if #new > 0 then redis.call('HINCRBY', KEYS[6], caller, string.format('%d', #new * cost)) end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[5]) end
return {'done'}

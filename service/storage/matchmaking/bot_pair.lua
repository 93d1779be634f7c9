-- Two bots of the bots' arena become a game, if both are as they were read and have not played too much.
--
-- KEYS  1 the bots' arena  2 this day  3 pairings  4 pairings due  5, 6 games of the one and of the other
-- ARGV  1 unix ms now  2 id of the game to come  3 the pairing  4 unix ms when a keeper carries it out
--       5, 6 the two  7, 8 when each was paired last, as it was read  9, 10 how many games each plays at once
--       11 how many the arena begins for each on one day  12 for the two  13 lifetime of the day, ms  14 of games, ms
-- Answer: done | changed | full, of which nothing has changed.
local damaged = wrong_type({'zset', 'hash', 'hash', 'zset', 'zset', 'zset'})
if damaged then return damaged end
if redis.call('HEXISTS', KEYS[3], ARGV[2]) == 1 then return 'done' end
local two = ARGV[5] < ARGV[6] and ARGV[5] .. ' ' .. ARGV[6] or ARGV[6] .. ' ' .. ARGV[5]
for n = 1, 2 do
  local last = redis.call('ZSCORE', KEYS[1], ARGV[4 + n])
  if not last or tonumber(last) ~= tonumber(ARGV[6 + n]) then return 'changed' end
  if redis.call('ZCARD', KEYS[4 + n]) >= tonumber(ARGV[8 + n]) then return 'full' end
  if tonumber(redis.call('HGET', KEYS[2], ARGV[4 + n]) or 0) >= tonumber(ARGV[11]) then return 'full' end
end
if tonumber(redis.call('HGET', KEYS[2], two) or 0) >= tonumber(ARGV[12]) then return 'full' end

for n = 1, 2 do
  redis.call('ZADD', KEYS[1], string.format('%.0f', math.max(ARGV[1], ARGV[6 + n] + 1)), ARGV[4 + n])
  redis.call('ZADD', KEYS[4 + n], ARGV[1], ARGV[2])
  redis.call('PEXPIRE', KEYS[4 + n], ARGV[14])
  redis.call('HINCRBY', KEYS[2], ARGV[4 + n], 1)
end
redis.call('HINCRBY', KEYS[2], two, 1)
redis.call('PEXPIRE', KEYS[2], ARGV[13])
redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
redis.call('ZADD', KEYS[4], ARGV[4], ARGV[2])
return 'done'

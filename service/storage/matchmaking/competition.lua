-- One commit of a competition, if it is still of the version that it was made from; with it come the pairings whose
-- games are to be created.
--
-- KEYS  1 competition  2 entrants  3 contests  4 hub  5 competitions due  6 competition of a game  7 pairings
--       8 pairings due  9 open  10 coming  11 running  12 over  13 hosted by its host  then entered by each who enters,
--       then by each who is forgotten
-- ARGV  1 version that it was made from, 0: a new one  2 id  3 unix ms when it is due, '' never  4 lifetime, ms
--       5 unix ms now  6 status  7 listed (0/1)  8 unix ms by which it is listed  9 how many a host may have, with those that are over
--       10 without them  11 all together  12 how long it is remembered who has entered, ms
--       13 how many are listed that are over  14 number of fields  15 of entrants  16 of dropped entrants  17 of contests
--       18 of dropped contests  19 of pairings  20 of games that are played no more  21 of those who enter
--       22 of those who are forgotten
--       then field, value | number, entrant | number | id, contest | id | game, pairing | game
-- Answer: done | stale, of which nothing has changed | own | past | all, of which there are too many.
local types = {'hash', 'hash', 'hash', 'stream', 'zset', 'hash', 'hash', 'zset', 'zset', 'zset', 'zset', 'zset', 'zset'}
for k = 14, #KEYS do types[k] = 'zset' end
local damaged = wrong_type(types)
if damaged then return damaged end
local id, now, status = ARGV[2], tonumber(ARGV[5]), ARGV[6]
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
if version ~= tonumber(ARGV[1]) then return 'stale' end
local is_over = status == 'over' or status == 'cancelled'
if version == 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[13], '-inf', now - tonumber(ARGV[12]))
  local hosted, own = redis.call('ZRANGE', KEYS[13], 0, -1), 0
  for _, other in ipairs(hosted) do
    if redis.call('ZSCORE', KEYS[9], other) then own = own + 1 end
  end
  if own >= tonumber(ARGV[10]) then return 'own' end
  if #hosted >= tonumber(ARGV[9]) then return 'past' end
  if redis.call('ZCARD', KEYS[9]) >= tonumber(ARGV[11]) then return 'all' end
  redis.call('ZADD', KEYS[9], now, id)
  redis.call('ZADD', KEYS[13], now, id)
  redis.call('PEXPIRE', KEYS[13], ARGV[12])
end

-- The version grows by one at least, and is at least the time: one that is made anew goes on where the last was.
version = string.format('%.0f', math.max(version + 1, now))
redis.call('HSET', KEYS[1], 'version', version)
local at = 23
local function pairs_of(count, take)
  for _ = 1, tonumber(count) do
    take(ARGV[at], ARGV[at + 1])
    at = at + 2
  end
end
local function names_of(count, take)
  for _ = 1, tonumber(count) do
    take(ARGV[at])
    at = at + 1
  end
end
pairs_of(ARGV[14], function(field, value) redis.call('HSET', KEYS[1], field, value) end)
pairs_of(ARGV[15], function(number, entrant) redis.call('HSET', KEYS[2], number, entrant) end)
names_of(ARGV[16], function(number) redis.call('HDEL', KEYS[2], number) end)
pairs_of(ARGV[17], function(contest, content) redis.call('HSET', KEYS[3], contest, content) end)
names_of(ARGV[18], function(contest) redis.call('HDEL', KEYS[3], contest) end)
pairs_of(ARGV[19], function(game, pairing)
  redis.call('HSET', KEYS[7], game, pairing)
  redis.call('ZADD', KEYS[8], now, game)
  redis.call('HSET', KEYS[6], game, id)
end)
names_of(ARGV[20], function(game) redis.call('HDEL', KEYS[6], game) end)
for k = 14, 13 + tonumber(ARGV[21]) do
  redis.call('ZREMRANGEBYSCORE', KEYS[k], '-inf', now - tonumber(ARGV[12]))
  redis.call('ZADD', KEYS[k], now, id)
  redis.call('PEXPIRE', KEYS[k], ARGV[12])
end
for k = 14 + tonumber(ARGV[21]), 13 + tonumber(ARGV[21]) + tonumber(ARGV[22]) do redis.call('ZREM', KEYS[k], id) end

for k = 1, 3 do redis.call('PEXPIRE', KEYS[k], ARGV[4]) end
if ARGV[3] == '' then redis.call('ZREM', KEYS[5], id) else redis.call('ZADD', KEYS[5], ARGV[3], id) end
for k = 10, 12 do redis.call('ZREM', KEYS[k], id) end
if ARGV[7] == '1' then
  local list = status == 'coming' and 10 or status == 'running' and 11 or 12
  redis.call('ZADD', KEYS[list], ARGV[8], id)
end
if is_over then
  redis.call('ZREM', KEYS[9], id)
  redis.call('ZREMRANGEBYRANK', KEYS[12], 0, -tonumber(ARGV[13]) - 1)
  redis.call('ZREMRANGEBYSCORE', KEYS[12], '-inf', now - tonumber(ARGV[4]))
end
redis.call('XADD', KEYS[4], 'MAXLEN', '~', 10000, '*', 'g', 'competition:' .. id, 'r', version)
return 'done'

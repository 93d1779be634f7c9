-- A new challenge, where neither its challenger nor the challenged has too many that wait. A bot that is called accepts it
-- at once, where it is not busy.
--
-- KEYS  1 challenge  2 challenges its challenger has sent  3 the challenged has received  4 what the challenger is told
--       5 the challenged  6 hub  7 outbox  8 hooked  9 pairings  10 pairings due  11 games that the challenged bot plays
-- ARGV  1 id  2 the challenge  3 unix ms when it ends  4 unix ms now  5 how long it is kept after that, ms
--       6 how many may be sent  7 received  8 the challenger  9 the challenged  10 the notice for the latter, into the
--       outbox where they are hooked
--       of one that is accepted: 11 id of the game that follows  12 the pairing  13 unix ms when a keeper carries it out
--       14 how many games the bot plays at once  15 how long a game is kept, ms
-- Answer: done | sent | received, of which there are too many | busy. Who has lost the answer sends the same again.
local damaged = wrong_type({'string', 'zset', 'zset', 'zset', 'zset', 'stream', 'stream', 'set', 'hash', 'zset', 'zset'})
if damaged then return damaged end
if redis.call('EXISTS', KEYS[1]) == 1 then return 'done' end
local lifetime = ARGV[3] - ARGV[4] + ARGV[5]
if ARGV[11] then
  if redis.call('ZCARD', KEYS[11]) >= tonumber(ARGV[14]) then return 'busy' end
  redis.call('ZADD', KEYS[11], ARGV[4], ARGV[11])
  redis.call('PEXPIRE', KEYS[11], ARGV[15])
  redis.call('HSET', KEYS[9], ARGV[11], ARGV[12])
  redis.call('ZADD', KEYS[10], ARGV[13], ARGV[11])
else
  for n = 2, 3 do redis.call('ZREMRANGEBYSCORE', KEYS[n], '-inf', ARGV[4]) end
  if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[6]) then return 'sent' end
  if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[7]) then return 'received' end
  for n = 2, 3 do
    redis.call('ZADD', KEYS[n], ARGV[3], ARGV[1])
    if redis.call('PTTL', KEYS[n]) < lifetime then redis.call('PEXPIRE', KEYS[n], lifetime) end
  end
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', lifetime)
for n = 0, 1 do tell(KEYS[4 + n], KEYS[6], ARGV[8 + n], ARGV[1], lifetime) end
if redis.call('SISMEMBER', KEYS[8], ARGV[9]) == 1 then
  redis.call('XADD', KEYS[7], 'MAXLEN', '~', 100000, '*', 'p', ARGV[9], 'n', ARGV[10])
  if redis.call('PTTL', KEYS[7]) < lifetime then redis.call('PEXPIRE', KEYS[7], lifetime) end
end
return 'done'

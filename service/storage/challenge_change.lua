-- A challenge that waits is answered or withdrawn, if it is still as it was read.
--
-- KEYS  1 challenge  2 challenges its challenger has sent  3 the challenged has received  4 hub  5 outbox  6 hooked
--       7 pairings  8 pairings due
-- ARGV  1 id  2 as it was read  3 as it is to be  4 its challenger  5 the challenged  6 who is told, into the outbox  7 what
--       8 id of the game that follows ('': none does)  9 the pairing  10 unix ms when a keeper carries it out
-- Answer: 1 if it was changed. Who has lost the answer sends the same again.
local damaged = wrong_type({'string', 'zset', 'zset', 'stream', 'stream', 'set', 'hash', 'zset'})
if damaged then return damaged end
local now = redis.call('GET', KEYS[1])
if now == ARGV[3] then return 1 end
if now ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[3], 'KEEPTTL')
for n = 2, 3 do redis.call('ZREM', KEYS[n], ARGV[1]) end
if ARGV[8] ~= '' then
  redis.call('HSET', KEYS[7], ARGV[8], ARGV[9])
  redis.call('ZADD', KEYS[8], ARGV[10], ARGV[8])
end
for n = 4, 5 do
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', 10000, '*', 'g', 'challenges:' .. ARGV[n], 'r', 1)
end
redis.call('XADD', KEYS[4], 'MAXLEN', '~', 10000, '*', 'g', 'challenge:' .. ARGV[1], 'r', 1)
if redis.call('SISMEMBER', KEYS[6], ARGV[6]) == 1 then
  redis.call('XADD', KEYS[5], 'MAXLEN', '~', 100000, '*', 'p', ARGV[6], 'n', ARGV[7])
  local lifetime = redis.call('PTTL', KEYS[1])
  if redis.call('PTTL', KEYS[5]) < lifetime then redis.call('PEXPIRE', KEYS[5], lifetime) end
end
return 1

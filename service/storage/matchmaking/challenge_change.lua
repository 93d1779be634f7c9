-- A challenge that waits is answered or withdrawn, if it is still as it was read.
--
-- KEYS  1 challenge  2 challenges its challenger has sent  3 the challenged has received  4 what the challenger is told
--       5 the challenged  6 hub  7 outbox  8 hooked  9 pairings  10 pairings due
-- ARGV  1 id  2 as it was read  3 as it is to be  4 its challenger  5 the challenged  6 who is told, into the outbox  7 what
--       8 id of the game that follows ('': none does)  9 the pairing  10 unix ms when a keeper carries it out
-- Answer: 1 if it was changed. Who has lost the answer sends the same again.
local damaged = wrong_type({'string', 'zset', 'zset', 'zset', 'zset', 'stream', 'stream', 'set', 'hash', 'zset'})
if damaged then return damaged end
local now = redis.call('GET', KEYS[1])
if now == ARGV[3] then return 1 end
if now ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[3], 'KEEPTTL')
for n = 2, 3 do redis.call('ZREM', KEYS[n], ARGV[1]) end
if ARGV[8] ~= '' then
  redis.call('HSET', KEYS[9], ARGV[8], ARGV[9])
  redis.call('ZADD', KEYS[10], ARGV[10], ARGV[8])
end
local lifetime = redis.call('PTTL', KEYS[1])
for n = 4, 5 do tell(KEYS[n], KEYS[6], ARGV[n], ARGV[1], lifetime) end
redis.call('XADD', KEYS[6], 'MAXLEN', '~', 10000, '*', 'g', 'challenge:' .. ARGV[1], 'r', 1)
if redis.call('SISMEMBER', KEYS[8], ARGV[6]) == 1 then
  redis.call('XADD', KEYS[7], 'MAXLEN', '~', 100000, '*', 'p', ARGV[6], 'n', ARGV[7])
  if redis.call('PTTL', KEYS[7]) < lifetime then redis.call('PEXPIRE', KEYS[7], lifetime) end
end
return 1

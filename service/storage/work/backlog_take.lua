-- Takes the piece whose turn it is, and leases it.
--
-- KEYS  1 short  2 long  3 flows  4 clock  5 taken  6 attempts
-- ARGV  1 lease until, unix ms  2 short ones only (0/1)  3 lifetime of what is written, ms
-- Answer {name, how often it has been taken, this time included}; nothing if none waits
local damaged = wrong_type({'zset', 'zset', 'zset', 'string', 'zset', 'hash'})
if damaged then return damaged end
local first, list
for n = 1, ARGV[2] == '1' and 1 or 2 do
  local head = redis.call('ZRANGE', KEYS[n], 0, 0, 'WITHSCORES')
  if head[1] and (not first or tonumber(head[2]) < tonumber(first[2])) then
    first, list = head, KEYS[n]
  end
end
if not first then return false end
redis.call('ZREM', list, first[1])
local clock = math.max(tonumber(redis.call('GET', KEYS[4]) or '0'), tonumber(first[2]))
redis.call('SET', KEYS[4], string.format('%d', clock))
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('%d', clock))
redis.call('ZADD', KEYS[5], ARGV[1], first[1])
local attempt = redis.call('HINCRBY', KEYS[6], first[1], 1)
for n = 4, 6 do redis.call('PEXPIRE', KEYS[n], ARGV[3]) end
return {first[1], attempt}

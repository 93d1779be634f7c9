-- One commit: everything about it is written here, or nothing is.
--
-- KEYS  1 game  2 log  3 tokens  4 hub  5 due  6 listing  7 expiry  8.. records (all of one hash tag)
-- ARGV  1 expected revision  2 nonce  3 game id  4 due (0/1)  5 listed (0/1)  6 lifetime, ms
--       7 number of events  8 of fields  9 of tokens  10 of dropped tokens
--       then events | field, value | digest, role | digest | record, lifetime in ms (one a record key)
-- Answer {word, value}: done | stale, revision | taken, record | missing | exists
local game, log, tokens = KEYS[1], KEYS[2], KEYS[3]
local expected, nonce, id = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local events, fields = tonumber(ARGV[7]), tonumber(ARGV[8])
local added, dropped = tonumber(ARGV[9]), tonumber(ARGV[10])
local current = tonumber(redis.call('HGET', game, 'revision') or '0')

-- A client that lost our answer sends the same commit again. It is in the log already, maybe with
-- others' commits on top: its first entry bears the nonce. This comes before the records, or our
-- own record would look like somebody else's.
if current > expected then
  local first = (expected + 1) .. '-0'
  local found = redis.call('XRANGE', log, first, first)[1]
  if found and found[2][3] == 'n' and found[2][4] == nonce then
    return {'done'}
  end
end
for k = 8, #KEYS do
  local record = redis.call('GET', KEYS[k])
  if record then return {'taken', record} end
end
if expected == 0 and current > 0 then return {'exists'} end
if expected > 0 and current == 0 then return {'missing'} end
if current ~= expected then return {'stale', current} end

local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local lifetime = tonumber(ARGV[6])
local expires = now + lifetime
local revision = expected + events

local at = 11
for n = 1, events do
  if n == 1 then
    redis.call('XADD', log, (expected + 1) .. '-0', 'e', ARGV[at], 'n', nonce)
  else
    redis.call('XADD', log, (expected + n) .. '-0', 'e', ARGV[at])
  end
  at = at + 1
end
redis.call('HSET', game, 'revision', revision, 'attempts', 0, 'expires', string.format('%d', expires))
if fields > 0 then
  redis.call('HSET', game, unpack(ARGV, at, at + 2 * fields - 1))
  at = at + 2 * fields
end
if added > 0 then
  redis.call('HSET', tokens, unpack(ARGV, at, at + 2 * added - 1))
  at = at + 2 * added
end
if dropped > 0 then
  redis.call('HDEL', tokens, unpack(ARGV, at, at + dropped - 1))
  at = at + dropped
end
for k = 8, #KEYS do
  redis.call('SET', KEYS[k], ARGV[at], 'PX', math.min(tonumber(ARGV[at + 1]), lifetime))
  at = at + 2
end
for k = 1, 3 do
  redis.call('PEXPIREAT', KEYS[k], string.format('%d', expires))
end

if ARGV[4] == '1' then
  redis.call('ZADD', KEYS[5], now, id)
else
  redis.call('ZREM', KEYS[5], id)
end
if ARGV[5] == '1' then
  redis.call('ZADD', KEYS[6], now, id)
else
  redis.call('ZREM', KEYS[6], id)
end
redis.call('ZADD', KEYS[7], expires, id)
redis.call('XADD', KEYS[4], 'MAXLEN', '~', 10000, '*', 'g', id, 'r', revision)
return {'done'}

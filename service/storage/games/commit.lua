-- One commit: everything about it is written here, or nothing is.
--
-- KEYS  1 game  2 log  3 tokens  4 messages  5 checkpoints  6 hub  7 due  8 timeouts  9 listing  10 expiry  11 outbox
--       12 hooked  13 to archive  14.. games, turns of each player who has, or had, a seat | then records | where there
--       is a follow-up: follow-ups, follow-ups due (all of one hash tag)
-- ARGV  1 expected revision  2 nonce  3 game id  4 due: unix ms, 0 at once, '' not  5 whether time is what is due (0/1)
--       6 listed (0/1)  7 lifetime, ms  8 number of events  9 of fields  10 of tokens  11 of dropped tokens
--       12 of players  13 of notices  14 of checkpoints  15 of what tells of a follow-up: 3, or 0 where there is none
--       16 what is written of the log, see game_log.py: '' what goes behind its tail  'chunk' its tail, and chunks among
--       the fields  'all' likewise, and there are no other chunks, and no stream of an older version  'end' likewise, and
--       no other checkpoints: the game is over  17 the tail, or what goes behind it  18 whether it is to be archived (0/1)
--       then field, value | digest, roles | digest | player, what the game is to them | record, lifetime in ms
--       | player, what they are told (into the outbox where they are hooked) | revision, checkpoint
--       | id of the follow-up, the follow-up, unix ms when it is due
--       what a game is to a player: 'turn' it waits for them  'game' they have a seat  'none' no longer
-- Answer {word, value}: done | stale, revision | taken, record | missing | exists | damaged, number of the key
--       | stream: the log is the stream of an older version, write all of it
local NONCES, LAST_NONCES = 256, 32  -- bytes: of the last 32 commits; of the last 4 of a game that is over
local game, log, tokens = KEYS[1], KEYS[2], KEYS[3]
local expected, nonce, id = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local events, fields = tonumber(ARGV[8]), tonumber(ARGV[9])
local added, dropped, players = tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12])
local follows, written = ARGV[15] ~= '0', ARGV[16]
local first_record, last_record = 14 + 2 * players, follows and #KEYS - 2 or #KEYS

local types = {'hash', 'stream', 'hash', 'stream', 'hash', 'stream', 'zset', 'zset', 'zset', 'zset', 'stream', 'set', 'zset'}
for k = 14, last_record do types[k] = k < first_record and 'zset' or 'string' end
if follows then types[#KEYS - 1], types[#KEYS] = 'hash', 'zset' end
local damaged = wrong_type(types)
if damaged then return damaged end
local known = redis.call('HMGET', game, 'revision', 'nonces', 'tail')
local current, nonces, tail = tonumber(known[1] or '0'), known[2] or '', known[3] or ''

-- A client that lost our answer sends the same commit again. It is in the log already, maybe with
-- others' commits on top: its nonce is among the last. This comes before the records, or our own
-- record would look like somebody else's.
if current > expected and string.find(nonces, nonce, 1, true) then return {'done'} end
for k = first_record, last_record do
  local record = redis.call('GET', KEYS[k])
  if record then return {'taken', record} end
end
if expected == 0 and current > 0 then return {'exists'} end
if expected > 0 and current == 0 then return {'missing'} end
if current ~= expected then return {'stale', current} end
local anew = written == 'all' or written == 'end'
if not anew and redis.call('EXISTS', log) == 1 then return {'stream'} end

local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local lifetime = tonumber(ARGV[7])
local expires = now + lifetime
local expires_text = string.format('%d', expires)
local revision = expected + events

if written == '' then tail = tail .. ARGV[17] else tail = ARGV[17] end
if anew then
  redis.call('DEL', log)
  for _, field in ipairs(redis.call('HKEYS', game)) do
    if string.sub(field, 1, 4) == 'log:' then redis.call('HDEL', game, field) end
  end
  redis.call('HDEL', game, 'position')  -- it stands in the view
end
if written == 'end' then redis.call('DEL', KEYS[5]) end
nonces = string.sub(nonces .. nonce, written == 'end' and -LAST_NONCES or -NONCES)
redis.call('HSET', game, 'revision', revision, 'attempts', 0, 'expires', expires_text, 'nonces', nonces, 'tail', tail)
local at = 19
if fields > 0 then
  redis.call('HSET', game, unpack(ARGV, at, at + 2 * fields - 1))
  at = at + 2 * fields
end
if dropped > 0 then
  redis.call('HDEL', tokens, unpack(ARGV, at + 2 * added, at + 2 * added + dropped - 1))
end
if added > 0 then
  redis.call('HSET', tokens, unpack(ARGV, at, at + 2 * added - 1))
end
at = at + 2 * added + dropped
for n = 0, players - 1 do
  local player, what = ARGV[at], ARGV[at + 1]
  local games, turns = KEYS[14 + 2 * n], KEYS[15 + 2 * n]
  if what == 'none' then
    redis.call('ZREM', games, id)
  else
    redis.call('ZADD', games, now, id)
  end
  if what == 'turn' then
    redis.call('ZADD', turns, 'NX', now, id)  -- the longest waiting come first
    redis.call('XADD', KEYS[6], 'MAXLEN', '~', 10000, '*', 'g', 'player:' .. player, 'r', string.format('%d', now))
  else
    redis.call('ZREM', turns, id)
  end
  -- the lists live as long as the longest-lived game in them
  for _, list in ipairs({games, turns}) do
    if redis.call('PTTL', list) < lifetime then redis.call('PEXPIREAT', list, expires_text) end
  end
  at = at + 2
end
for k = first_record, last_record do
  redis.call('SET', KEYS[k], ARGV[at], 'PX', math.min(tonumber(ARGV[at + 1]), lifetime))
  at = at + 2
end
for _ = 1, tonumber(ARGV[13]) do
  if redis.call('SISMEMBER', KEYS[12], ARGV[at]) == 1 then
    redis.call('XADD', KEYS[11], 'MAXLEN', '~', 100000, '*', 'p', ARGV[at], 'n', ARGV[at + 1])
    if redis.call('PTTL', KEYS[11]) < lifetime then redis.call('PEXPIREAT', KEYS[11], expires_text) end
  end
  at = at + 2
end
for _ = 1, tonumber(ARGV[14]) do
  redis.call('HSET', KEYS[5], ARGV[at], ARGV[at + 1])
  at = at + 2
end
if follows then
  redis.call('HSET', KEYS[#KEYS - 1], ARGV[at], ARGV[at + 1])
  redis.call('ZADD', KEYS[#KEYS], ARGV[at + 2], ARGV[at])
end
for k = 1, 5 do
  redis.call('PEXPIREAT', KEYS[k], expires_text)
end

for k, timed in pairs({[7] = '0', [8] = '1'}) do
  if ARGV[4] ~= '' and ARGV[5] == timed then
    redis.call('ZADD', KEYS[k], ARGV[4] == '0' and now or ARGV[4], id)
  else
    redis.call('ZREM', KEYS[k], id)
  end
end
if ARGV[6] == '1' then
  redis.call('ZADD', KEYS[9], now, id)
else
  redis.call('ZREM', KEYS[9], id)
end
redis.call('ZADD', KEYS[10], expires, id)
if ARGV[18] == '1' then redis.call('ZADD', KEYS[13], 0, id) end
redis.call('XADD', KEYS[6], 'MAXLEN', '~', 10000, '*', 'g', id, 'r', revision)
return {'done'}

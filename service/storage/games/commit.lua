-- One commit of a game: everything about it is written here, or nothing is.
--
-- KEYS  1 game  2 log  3 tokens  4 messages  5 checkpoints  6 hub  7 due  8 timeouts  9 listing  10 expiry  11 outbox
--       12 hooked  13 to archive  14.. games, turns of each player | then each record | where there is a follow-up:
--       follow-ups, follow-ups due (all of one hash tag)
-- commit  expected revision, number of events, nonce, id, lifetime in ms; due: unix ms, 0 at once, nil not; timed: time
--         is what is due; listed; to_archive
--         written, of the log, see game_log.py: '' what goes behind its tail  'chunk' its tail, and chunks among the fields
--         'all' likewise, and there are no other chunks, and no stream of an older version  'end' likewise, and no other
--         checkpoints: the game is over;  tail: it, or what goes behind it
--         fields, tokens (digest, roles), checkpoints (revision, content): names and values in turn; dropped_tokens
--         players {id, standing}: 'turn' the game waits for them  'game' they have a seat  'none' no longer
--         replay_entries {content, lifetime in ms}; notices {player, notice}, into the outbox where they are hooked
--         follow_up: id, content, due in unix ms
-- Answer {word, value}: done | stale, revision | taken, record | missing | exists | damaged, number of the key
--       | stream: the log is the stream of an older version, write all of it
local NONCES, LAST_NONCES = 256, 32  -- bytes: of the last 32 commits; of the last 4 of a game that is over
local commit = cmsgpack.unpack(ARGV[1])
local game, log, tokens, id, follow_up = KEYS[1], KEYS[2], KEYS[3], commit.id, commit.follow_up
local first_record = 14 + 2 * #commit.players
local last_record = first_record + #commit.replay_entries - 1

local types = {'hash', 'stream', 'hash', 'stream', 'hash', 'stream', 'zset', 'zset', 'zset', 'zset', 'stream', 'set', 'zset'}
for k = 14, last_record do types[k] = k < first_record and 'zset' or 'string' end
if follow_up then types[#KEYS - 1], types[#KEYS] = 'hash', 'zset' end
local damaged = wrong_type(types)
if damaged then return damaged end
local known = redis.call('HMGET', game, 'revision', 'nonces', 'tail')
local current, nonces, tail = tonumber(known[1] or '0'), known[2] or '', known[3] or ''

-- A client that lost our answer sends the same commit again. It is in the log already, maybe with
-- others' commits on top: its nonce is among the last. This comes before the records, or our own
-- record would look like somebody else's.
if current > commit.expected and string.find(nonces, commit.nonce, 1, true) then return {'done'} end
for k = first_record, last_record do
  local record = redis.call('GET', KEYS[k])
  if record then return {'taken', record} end
end
if commit.expected == 0 and current > 0 then return {'exists'} end
if commit.expected > 0 and current == 0 then return {'missing'} end
if current ~= commit.expected then return {'stale', current} end
local ended = commit.written == 'end'
local rewritten = ended or commit.written == 'all'
if not rewritten and redis.call('EXISTS', log) == 1 then return {'stream'} end

local now = now_ms()
local expires = string.format('%d', now + commit.lifetime)
local revision = commit.expected + commit.events

tail = commit.written == '' and tail .. commit.tail or commit.tail
if rewritten then
  redis.call('DEL', log)
  for _, field in ipairs(redis.call('HKEYS', game)) do
    if string.sub(field, 1, 4) == 'log:' then redis.call('HDEL', game, field) end
  end
  redis.call('HDEL', game, 'position')  -- it stands in the view
end
if ended then redis.call('DEL', KEYS[5]) end
nonces = string.sub(nonces .. commit.nonce, ended and -LAST_NONCES or -NONCES)
redis.call('HSET', game, 'revision', revision, 'attempts', 0, 'expires', expires, 'nonces', nonces, 'tail', tail,
  unpack(commit.fields))
if #commit.dropped_tokens > 0 then redis.call('HDEL', tokens, unpack(commit.dropped_tokens)) end
if #commit.tokens > 0 then redis.call('HSET', tokens, unpack(commit.tokens)) end
for n, player in ipairs(commit.players) do
  local games, turns = KEYS[12 + 2 * n], KEYS[13 + 2 * n]
  if player[2] == 'none' then redis.call('ZREM', games, id) else redis.call('ZADD', games, now, id) end
  if player[2] == 'turn' then
    redis.call('ZADD', turns, 'NX', now, id)  -- the longest waiting come first
    redis.call('XADD', KEYS[6], 'MAXLEN', '~', 10000, '*', 'g', 'player:' .. player[1], 'r', string.format('%d', now))
  else
    redis.call('ZREM', turns, id)
  end
  outlive(games, commit.lifetime)  -- the lists live as long as the longest-lived game in them
  outlive(turns, commit.lifetime)
end
for n, entry in ipairs(commit.replay_entries) do
  redis.call('SET', KEYS[first_record + n - 1], entry[1], 'PX', math.min(entry[2], commit.lifetime))
end
for _, notice in ipairs(commit.notices) do
  if redis.call('SISMEMBER', KEYS[12], notice[1]) == 1 then
    redis.call('XADD', KEYS[11], 'MAXLEN', '~', 100000, '*', 'p', notice[1], 'n', notice[2])
    outlive(KEYS[11], commit.lifetime)
  end
end
if #commit.checkpoints > 0 then redis.call('HSET', KEYS[5], unpack(commit.checkpoints)) end
if follow_up then
  redis.call('HSET', KEYS[#KEYS - 1], follow_up.id, follow_up.content)
  redis.call('ZADD', KEYS[#KEYS], follow_up.due, follow_up.id)
end
for k = 1, 5 do redis.call('PEXPIREAT', KEYS[k], expires) end

for k, timed in pairs({[7] = false, [8] = true}) do
  if commit.due and commit.timed == timed then
    redis.call('ZADD', KEYS[k], commit.due == 0 and now or commit.due, id)
  else
    redis.call('ZREM', KEYS[k], id)
  end
end
if commit.listed then redis.call('ZADD', KEYS[9], now, id) else redis.call('ZREM', KEYS[9], id) end
redis.call('ZADD', KEYS[10], expires, id)
if commit.to_archive then redis.call('ZADD', KEYS[13], 0, id) end
redis.call('XADD', KEYS[6], 'MAXLEN', '~', 10000, '*', 'g', id, 'r', revision)
return {'done'}

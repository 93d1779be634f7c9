-- One commit of a game. Writes all of its changes, or none.
--
-- KEYS  1 game  2 log  3 tokens  4 messages  5 checkpoints  6 hub  7 due  8 timeouts  9 listing  10 expiry  11 outbox
--       12 subscribers  13 to archive  14.. games, turns of each player | then each replay entry | if there is a
--       follow-up: follow-ups, follow-ups due (all of one hash tag)
-- commit  expected revision, number of events, nonce, id, lifetime in ms; due: unix ms, 0 at once, nil never; timed: the
--         due time is that of a clock or pause; listed; to_archive
--         written, the change of the log, see game_log.py: '' append to the tail  'chunk' replace the tail and set the
--         chunks among the fields  'all' like 'chunk', and delete other chunks and the stream of an older version
--         'end' like 'all', and delete other checkpoints: the game is over;  tail
--         fields, tokens (digest, roles), checkpoints (revision, content): alternating names and values; dropped_tokens
--         players {id, relation}: 'turn' the game waits for the player  'game' the player has a seat  'none' neither
--         replay_entries {content, lifetime in ms}; notices {player, notice}, for the outbox if the player subscribes
--         follow_up: id, content, due in unix ms
-- Answer {word, value}: done | stale, revision | taken, replay entry | missing | exists | damaged, number of the key
--       | stream: the log is the stream of an older version, so the whole log must be written
local NONCES, LAST_NONCES = 256, 32  -- bytes, of the last 32 commits, or the last 4 of a finished game
local commit = cmsgpack.unpack(ARGV[1])
local game, log, tokens, id, follow_up = KEYS[1], KEYS[2], KEYS[3], commit.id, commit.follow_up
local first_entry = 14 + 2 * #commit.players
local last_entry = first_entry + #commit.replay_entries - 1

local types = {'hash', 'stream', 'hash', 'stream', 'hash', 'stream', 'zset', 'zset', 'zset', 'zset', 'stream', 'set', 'zset'}
for k = 14, last_entry do types[k] = k < first_entry and 'zset' or 'string' end
if follow_up then types[#KEYS - 1], types[#KEYS] = 'hash', 'zset' end
local damaged = wrong_type(types)
if damaged then return damaged end
local stored = redis.call('HMGET', game, 'revision', 'nonces', 'tail')
local current, nonces, tail = tonumber(stored[1] or '0'), stored[2] or '', stored[3] or ''

-- A client that lost the response repeats its commit. If the commit is in the log, maybe followed by others, its nonce
-- is among the last. This check precedes that of the replay entries, which would find the entry of the same commit.
if current > commit.expected and string.find(nonces, commit.nonce, 1, true) then return {'done'} end
for k = first_entry, last_entry do
  local entry = redis.call('GET', KEYS[k])
  if entry then return {'taken', entry} end
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
  redis.call('HDEL', game, 'position')  -- the view contains it
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
    redis.call('ZADD', turns, 'NX', now, id)  -- the longest waiting is first
    redis.call('XADD', KEYS[6], 'MAXLEN', '~', 10000, '*', 'g', 'player:' .. player[1], 'r', string.format('%d', now))
  else
    redis.call('ZREM', turns, id)
  end
  outlive(games, commit.lifetime)  -- a list lives as long as the longest-lived game in it
  outlive(turns, commit.lifetime)
end
for n, entry in ipairs(commit.replay_entries) do
  redis.call('SET', KEYS[first_entry + n - 1], entry[1], 'PX', math.min(entry[2], commit.lifetime))
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
local players = {}
for n, player in ipairs(commit.players) do players[n] = player[1] end
redis.call('XADD', KEYS[6], 'MAXLEN', '~', 10000, '*', 'g', id, 'r', revision, 'p', table.concat(players, ' '))
return {'done'}

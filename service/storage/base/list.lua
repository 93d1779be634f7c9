-- Returns part of a list of games, newest first, with fields of each game.
--
-- KEYS      1 list
-- arguments newest, unix ms; first: number of ids to skip; count; prefix of a game's key, before its id
-- Answer    for each id {id, unix ms, revision, visibility, facts, view}; an expired game has no revision
local arguments = cmsgpack.unpack(ARGV[1])
local damaged = wrong_type({'zset'})
if damaged then return damaged end
local answer = {}
local limit = {'WITHSCORES', 'LIMIT', arguments.first, arguments.count}
local ids = redis.call('ZREVRANGEBYSCORE', KEYS[1], arguments.newest, '-inf', unpack(limit))
for n = 1, #ids, 2 do
  local game = redis.call('HMGET', arguments.prefix .. ids[n], 'revision', 'visibility', 'facts', 'view')
  answer[#answer + 1] = {ids[n], ids[n + 1], unpack(game)}
end
return answer

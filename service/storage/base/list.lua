-- Part of a list of games, newest first, with what is asked of each.
--
-- KEYS  1 list     given  newest, unix ms; first: names to pass over; count; prefix of a game's key, before its id
-- Answer, one for each name: {id, unix ms, revision, visibility, facts, view}; a game that is gone has no revision.
local given = cmsgpack.unpack(ARGV[1])
local damaged = wrong_type({'zset'})
if damaged then return damaged end
local answer = {}
local limit = {'WITHSCORES', 'LIMIT', given.first, given.count}
local names = redis.call('ZREVRANGEBYSCORE', KEYS[1], given.newest, '-inf', unpack(limit))
for n = 1, #names, 2 do
  local game = redis.call('HMGET', given.prefix .. names[n], 'revision', 'visibility', 'facts', 'view')
  answer[#answer + 1] = {names[n], names[n + 1], unpack(game)}
end
return answer

-- Part of a list of games, newest first, with what is asked of each.
--
-- KEYS  1 list     ARGV  1 newest, unix ms  2 names to pass over  3 names to read  4 a game's key without its id
-- Answer, one for each name: {id, unix ms, revision, visibility, facts, view}; a game that is gone has no revision.
local answer = wrong_type({'zset'})
if answer then return answer end
local names = redis.call('ZREVRANGEBYSCORE', KEYS[1], ARGV[1], '-inf', 'WITHSCORES', 'LIMIT', ARGV[2], ARGV[3])
answer = {}
for n = 1, #names, 2 do
  local game = redis.call('HMGET', ARGV[4] .. names[n], 'revision', 'visibility', 'facts', 'view')
  answer[#answer + 1] = {names[n], names[n + 1], unpack(game)}
end
return answer

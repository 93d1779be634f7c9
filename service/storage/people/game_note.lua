-- Notes something in a game, once: who comes second finds what the first has noted.
--
-- KEYS  1 game     ARGV  1 field  2 what is noted
-- Answer: what stands there; nothing if there is no such game.
local damaged = wrong_type({'hash'})
if damaged then return damaged end
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
return redis.call('HGET', KEYS[1], ARGV[1])

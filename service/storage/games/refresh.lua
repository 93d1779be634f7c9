-- Keeps what was computed again of a game, if it is still at that revision; it lives no longer for that.
--
-- KEYS  1 game  2 checkpoints     ARGV  1 revision  2 number of fields  then field, value | revision, checkpoint
local damaged = wrong_type({'hash', 'hash'})
if damaged then return damaged end
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[1] then return 0 end
local fields = tonumber(ARGV[2])
if fields > 0 then redis.call('HSET', KEYS[1], unpack(ARGV, 3, 2 + 2 * fields)) end
if #ARGV > 2 + 2 * fields then
  redis.call('HSET', KEYS[2], unpack(ARGV, 3 + 2 * fields))
  redis.call('PEXPIREAT', KEYS[2], redis.call('HGET', KEYS[1], 'expires'))
end
return 1

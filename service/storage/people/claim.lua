-- Claims a name for a player, or gives it back.
--
-- KEYS  1 name     ARGV  1 player  2 lifetime, ms; 0 gives it back
-- Answer: 1 if it is the player's, or, given back, is not any more; 0 if it is another player's.
local damaged = wrong_type({'string'})
if damaged then return damaged end
local owner, lifetime = redis.call('GET', KEYS[1]), tonumber(ARGV[2])
if owner and owner ~= ARGV[1] then return 0 end
if lifetime == 0 then
  redis.call('DEL', KEYS[1])
elseif not owner then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', lifetime)
elseif redis.call('PTTL', KEYS[1]) < lifetime then
  redis.call('PEXPIRE', KEYS[1], lifetime)
end
return 1

-- Changes a player's rating by what a game brought them, once.
--
-- KEYS  1 player  2 ratings  3 games that were applied  4 the rating's history
-- given  game; ended, unix ms; window, ms after its end in which a game may be applied; days that the history has
--        change: field of the rating, mu added, sigma multiplied by, won (0/1)
--        scale: mu and sigma of who has not played, sigma (certain) from which on downwards the best counts
-- Answer: counted (also where it had been: nothing is changed then) | gone | late
local given = cmsgpack.unpack(ARGV[1])
local change, scale = given.change, given.scale
local damaged = wrong_type({'hash', 'hash', 'zset', 'hash'})
if damaged then return damaged end
if redis.call('EXISTS', KEYS[1]) == 0 then return 'gone' end
local seconds = tonumber(redis.call('TIME')[1])
local now = 1000 * seconds
if redis.call('ZSCORE', KEYS[3], given.game) then return 'counted' end
if given.ended < now - given.window then return 'late' end

-- What is forgotten here is late above: even if the clock went back by as much as a game may wait.
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('(%.17g', now - 2 * given.window))
redis.call('ZADD', KEYS[3], given.ended, given.game)

local stored = redis.call('HGET', KEYS[2], change.field)
local mu, sigma, games, wins, best = scale.mu, scale.sigma, 0, 0, ''
if stored then mu, sigma, games, wins, best = string.match(stored, '^(%S+) (%S+) (%S+) (%S+) ?(%S*)$') end
local changed = tonumber(mu) + change.mu
local sure = math.min(tonumber(sigma) * change.sigma, scale.sigma)
if sure <= scale.certain and (best == '' or changed > tonumber(best)) then best = string.format('%.17g', changed) end
local number = string.format('%.17g %.17g', changed, sure)
redis.call('HSET', KEYS[2], change.field, string.format('%s %d %d %s', number, games + 1, wins + change.won, best))

local day = string.format('%d', math.floor(seconds / 86400))
if redis.call('HSET', KEYS[4], day, number) == 1 then
  local days = redis.call('HKEYS', KEYS[4])
  local surplus = #days - given.days
  if surplus > 0 then
    table.sort(days, function(one, other) return tonumber(one) < tonumber(other) end)
    redis.call('HDEL', KEYS[4], unpack(days, 1, surplus))
  end
end
local lifetime = redis.call('PTTL', KEYS[1])
if lifetime > 0 then
  for n = 2, 4 do redis.call('PEXPIRE', KEYS[n], lifetime) end
end
return 'counted'

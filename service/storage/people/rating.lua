-- Applies the effect of a game on a player's rating, once.
--
-- KEYS      1 player  2 ratings  3 applied games  4 history of the rating  5 opponents
-- arguments game; ended, unix ms; window: ms after its end in which a game may be applied; days: length of the history
--           change: field of the rating, mu to add, sigma to multiply by, won (0/1)
--           scale: mu and sigma of a player without games, largest sigma (certain) at which the best mu counts,
--           smallest sigma (least), growth of the variance in a day
--           opponents: list of {digest of an opponent, whether they are established (0/1)}; most: opponents to keep
-- Answer    counted (also if it was applied before: nothing changes) | gone | late
local arguments = cmsgpack.unpack(ARGV[1])
local change, scale = arguments.change, arguments.scale
local damaged = wrong_type({'hash', 'hash', 'zset', 'hash', 'zset'})
if damaged then return damaged end
if redis.call('EXISTS', KEYS[1]) == 0 then return 'gone' end
local seconds = tonumber(redis.call('TIME')[1])
local now = 1000 * seconds
if redis.call('ZSCORE', KEYS[3], arguments.game) then return 'counted' end
if arguments.ended < now - arguments.window then return 'late' end

-- A removed game is late, even if the clock is set back by the length of the window.
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('(%.17g', now - 2 * arguments.window))
redis.call('ZADD', KEYS[3], arguments.ended, arguments.game)

local stored = redis.call('HGET', KEYS[2], change.field)
local mu, sigma, games, wins, best, played = scale.mu, scale.sigma, 0, 0, '', ''
if stored then
  mu, sigma, games, wins, best, played = string.match(stored, '^(%S+) (%S+) (%S+) (%S+) ?(%S*) ?(%S*)')
end
if best == '' then best = '-' end
played = tonumber(played) or arguments.ended
local days_since = math.max(0, arguments.ended - played) / 86400000
local grown = math.min(math.sqrt(sigma * sigma + scale.growth * days_since), scale.sigma)
local new_mu = mu + change.mu
local new_sigma = math.max(scale.least, math.min(grown * change.sigma, scale.sigma))
if new_sigma <= scale.certain and (best == '-' or new_mu > tonumber(best)) then
  best = string.format('%.17g', new_mu)
end

-- The established ones have the higher score, so that they are kept if there are too many.
for _, opponent in ipairs(arguments.opponents) do redis.call('ZADD', KEYS[5], 'GT', opponent[2], opponent[1]) end
redis.call('ZREMRANGEBYRANK', KEYS[5], 0, -arguments.most - 1)
local met, established = redis.call('ZCARD', KEYS[5]), redis.call('ZCOUNT', KEYS[5], 1, 1)

local numbers = string.format('%.17g %.17g', new_mu, new_sigma)
local counts = string.format('%d %d %s', games + 1, wins + change.won, best)
local last = string.format('%.0f %d %d', math.max(played, arguments.ended), met, established)
redis.call('HSET', KEYS[2], change.field, numbers .. ' ' .. counts .. ' ' .. last)

local day = string.format('%d', math.floor(seconds / 86400))
if redis.call('HSET', KEYS[4], day, numbers) == 1 then
  local days = redis.call('HKEYS', KEYS[4])
  local surplus = #days - arguments.days
  if surplus > 0 then
    table.sort(days, function(day_a, day_b) return tonumber(day_a) < tonumber(day_b) end)
    redis.call('HDEL', KEYS[4], unpack(days, 1, surplus))
  end
end
local lifetime = redis.call('PTTL', KEYS[1])
if lifetime > 0 then
  for n = 2, 5 do redis.call('PEXPIRE', KEYS[n], lifetime) end
end
return 'counted'

-- Changes a player's rating by what a game brought them, once.
--
-- KEYS  1 player  2 ratings  3 games that were applied  4 the rating's history
-- ARGV  1 game  2 unix ms when it ended  3 the rating's field  4 change of mu  5 factor of sigma  6 won (0/1)
--       7 mu, 8 sigma of who has not played  9 sigma from which on downwards the best counts
--       10 how many days the history holds  11 how long after its end a game may be applied, ms
-- Answer: counted (also where it had been: nothing is changed then) | gone | late
local damaged = wrong_type({'hash', 'hash', 'zset', 'hash'})
if damaged then return damaged end
if redis.call('EXISTS', KEYS[1]) == 0 then return 'gone' end
local clock = redis.call('TIME')
local seconds = tonumber(clock[1])
local now, ended, window = 1000 * seconds, tonumber(ARGV[2]), tonumber(ARGV[11])
if redis.call('ZSCORE', KEYS[3], ARGV[1]) then return 'counted' end
if ended < now - window then return 'late' end

-- What is forgotten here is late above: even if the clock went back by as much as a game may wait.
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('(%.17g', now - 2 * window))
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])

local stored = redis.call('HGET', KEYS[2], ARGV[3])
local mu, sigma, games, wins, best = ARGV[7], ARGV[8], '0', '0', ''
if stored then mu, sigma, games, wins, best = string.match(stored, '^(%S+) (%S+) (%S+) (%S+) ?(%S*)$') end
local changed = tonumber(mu) + tonumber(ARGV[4])
local sure = math.min(tonumber(sigma) * tonumber(ARGV[5]), tonumber(ARGV[8]))
if sure <= tonumber(ARGV[9]) and (best == '' or changed > tonumber(best)) then
  best = string.format('%.17g', changed)
end
local played, won = tonumber(games) + 1, tonumber(wins) + tonumber(ARGV[6])
local number = string.format('%.17g %.17g', changed, sure)
redis.call('HSET', KEYS[2], ARGV[3], string.format('%s %d %d %s', number, played, won, best))

local day = string.format('%d', math.floor(seconds / 86400))
if redis.call('HSET', KEYS[4], day, number) == 1 then
  local days = redis.call('HKEYS', KEYS[4])
  local surplus = #days - tonumber(ARGV[10])
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

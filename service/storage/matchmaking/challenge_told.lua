-- Stands before the scripts that change challenges: tells a player, and those who follow, that one has changed.
--
-- The version grows with every change, also after the list has expired, since it is at least the time.
local function tell(list, hub, player, challenge, lifetime)
  local clock = redis.call('TIME')
  local last = redis.call('ZREVRANGE', list, 0, 0, 'WITHSCORES')[2] or 0
  local version = string.format('%.0f', math.max(last + 1, clock[1] * 1000 + math.floor(clock[2] / 1000)))
  redis.call('ZADD', list, version, challenge)
  redis.call('ZREMRANGEBYRANK', list, 0, -101)
  if redis.call('PTTL', list) < tonumber(lifetime) then redis.call('PEXPIRE', list, lifetime) end
  redis.call('XADD', hub, 'MAXLEN', '~', 10000, '*', 'g', 'challenges:' .. player, 'r', version)
end


-- A queue of outgoing calls, see dial_queue.py. Runs one of the functions below.
--
-- KEYS  1 calls  2 waiting  3 owners  4 served  5 counters  6 leased
local PAGE, LOOKED = 100, 20  -- owners that are read at once; first calls of an owner that are considered
local arguments = cmsgpack.unpack(ARGV[1])
local damaged = wrong_type({'hash', 'zset', 'zset', 'zset', 'hash', 'zset'})
if damaged then return damaged end
local calls, waiting, owners, served, counters, leased = unpack(KEYS)
local functions = {}

local function clock()
  return tonumber(redis.call('HGET', counters, 'clock') or '0')
end

-- Returns the first waiting calls of an owner: `owner number name`.
local function first_calls(owner, count)
  return redis.call('ZRANGEBYLEX', waiting, '[' .. owner .. ' ', '(' .. owner .. '!', 'LIMIT', 0, count)
end

-- Removes leased calls whose dialers have died.
local function drop_expired()
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', leased, '-inf', arguments.now)) do
    redis.call('ZREM', leased, name)
    redis.call('HDEL', calls, name)
  end
end

-- Adds calls that are not known. Answer: how many
function functions.add()
  drop_expired()
  local added = 0
  for _, call in ipairs(arguments.calls) do
    local name, owner, host = unpack(call)
    if redis.call('HSETNX', calls, name, owner .. ' ' .. host) == 1 then
      local number = redis.call('HINCRBY', counters, 'added', 1)
      redis.call('ZADD', waiting, 0, string.format('%s %015d %s', owner, number, name))
      local tag = math.max(clock(), tonumber(redis.call('ZSCORE', served, owner) or '0'))
      redis.call('ZADD', owners, 'NX', string.format('%d', tag), owner)
      added = added + 1
    end
  end
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, arguments.lifetime) end
  return added
end

-- Returns the number of leased calls, and how many each owner and each host has.
local function held_slots()
  local names, held = redis.call('ZRANGE', leased, 0, -1), {}
  for _, holders in ipairs(#names > 0 and redis.call('HMGET', calls, unpack(names)) or {}) do
    for holder in string.gmatch(holders or '', '%S+') do held[holder] = (held[holder] or 0) + 1 end
  end
  return #names, held
end

local function lease(owner, entry, name)
  local now = string.format('%d', math.max(clock(), tonumber(redis.call('ZSCORE', owners, owner))))
  redis.call('ZREM', waiting, entry)
  redis.call('ZADD', leased, arguments['until'], name)
  redis.call('HSET', counters, 'clock', now)
  redis.call('ZREMRANGEBYSCORE', served, '-inf', now)
  redis.call('ZADD', served, now + 1, owner)
  redis.call('ZREM', owners, owner)
  if #first_calls(owner, 1) > 0 then redis.call('ZADD', owners, now + 1, owner) end
  return name
end

-- Leases a call of the owner that was served least, if owner and host hold fewer slots than are free.
-- Answer: its name | nothing
function functions.take()
  drop_expired()
  local taken, held = held_slots()
  local free, first = arguments.slots - taken, 0
  while free > 0 do
    local page = redis.call('ZRANGE', owners, first, first + PAGE - 1)
    for _, owner in ipairs(page) do
      for _, entry in ipairs((held[owner] or 0) < free and first_calls(owner, LOOKED) or {}) do
        local name = string.match(entry, '^%S+ %S+ (.*)$')
        local host = string.match(redis.call('HGET', calls, name) or '', '%S+$') or ''
        if (held[host] or 0) < free then return lease(owner, entry, name) end
      end
    end
    if #page < PAGE then return false end
    first = first + PAGE
  end
  return false
end

return functions[arguments['function']]()

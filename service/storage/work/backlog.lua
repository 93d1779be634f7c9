-- The backlog, see backlog.py. Runs one of the functions below.
--
-- KEYS  1 pieces  2 short  3 long  4 flows  5 clock  6 callers  7 attempts  8 taken
local arguments = cmsgpack.unpack(ARGV[1])
local damaged = wrong_type({'hash', 'zset', 'zset', 'zset', 'string', 'hash', 'hash', 'zset'})
if damaged then return damaged end
local pieces, short, long, flows, clock, callers, attempts, taken = unpack(KEYS)
local functions = {}

-- Returns the number of other flows of the same kind whose callers share the origin.
local function other_flows(own, kind)
  local count = 0
  for _, flow in ipairs(redis.call('ZRANGE', flows, 0, -1)) do
    local is_alike = string.sub(flow, 1, #arguments.origin + 1) == arguments.origin .. '\n'
    if is_alike and flow ~= own and string.sub(flow, -#kind) == kind then count = count + 1 end
  end
  return count
end

-- Adds new pieces, or none if a holder would have more than its limit in ms of waiting work (0: no limit). The pieces
-- of a caller cost more in its flow if other callers of the same origin have work, so an origin gains nothing by
-- having many callers.
-- Answer: nothing | cost of the holder's waiting work, ms; its limit
function functions.add()
  local new = {}
  for _, name in ipairs(arguments.names) do
    if redis.call('HEXISTS', pieces, name) == 0 then new[#new + 1] = name end
  end
  for _, holder in ipairs(arguments.holders) do
    local queued = tonumber(redis.call('HGET', callers, holder.name) or '0')
    if holder.limit > 0 and queued + #new * arguments.cost > holder.limit then return {queued, holder.limit} end
  end
  local kind = arguments.is_short and ' short' or ' long'
  local flow = arguments.origin .. '\n' .. arguments.holders[1].name .. kind
  local weighted = arguments.cost * (1 + other_flows(flow, kind))
  local finish = math.max(tonumber(redis.call('GET', clock) or '0'), tonumber(redis.call('ZSCORE', flows, flow) or '0'))
  for _, name in ipairs(new) do
    finish = finish + weighted
    redis.call('ZADD', arguments.is_short and short or long, string.format('%d', finish), name)
    redis.call('HSET', pieces, name, string.format('%d', arguments.cost) .. ' ' .. arguments.names_of_holders)
  end
  redis.call('ZADD', flows, string.format('%d', finish), flow)
  for _, holder in ipairs(#new > 0 and arguments.holders or {}) do
    redis.call('HINCRBY', callers, holder.name, string.format('%d', #new * arguments.cost))
  end
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, arguments.lifetime) end
  return false
end

-- Leases the piece with the smallest finish tag; with `only_short`, of the short work.
-- Answer: {name, number of leases including this one} | nothing
function functions.take()
  local first, list
  for _, waiting in ipairs(arguments.only_short and {short} or {short, long}) do
    local head = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
    if head[1] and (not first or tonumber(head[2]) < tonumber(first[2])) then
      first, list = head, waiting
    end
  end
  if not first then return false end
  redis.call('ZREM', list, first[1])
  local tag = string.format('%d', math.max(tonumber(redis.call('GET', clock) or '0'), tonumber(first[2])))
  redis.call('SET', clock, tag)
  redis.call('ZREMRANGEBYSCORE', flows, '-inf', tag)
  redis.call('ZADD', taken, arguments['until'], first[1])
  local attempt = redis.call('HINCRBY', attempts, first[1], 1)
  for _, key in ipairs({clock, taken, attempts}) do redis.call('PEXPIRE', key, arguments.lifetime) end
  return {first[1], attempt}
end

-- Removes pieces. Answer: how many existed
function functions.drop()
  local dropped = 0
  for _, name in ipairs(arguments.names) do
    local piece = redis.call('HGET', pieces, name)
    if piece then
      local cost, holders = string.match(piece, '^(%d+) (.*)$')
      for _, key in ipairs({pieces, attempts}) do redis.call('HDEL', key, name) end
      for _, key in ipairs({short, long, taken}) do redis.call('ZREM', key, name) end
      for holder in string.gmatch(holders, '[^\n]+') do
        if redis.call('HINCRBY', callers, holder, '-' .. cost) <= 0 then redis.call('HDEL', callers, holder) end
      end
      dropped = dropped + 1
    end
  end
  return dropped
end

-- Returns pieces whose lease has run out to the front. Answer: pieces with too many attempts, which stay leased
function functions.give_back()
  local given_up = {}
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', taken, '-inf', arguments.now, 'LIMIT', 0, 100)) do
    if redis.call('HEXISTS', pieces, name) == 0 then
      redis.call('ZREM', taken, name)
    elseif tonumber(redis.call('HGET', attempts, name) or '0') >= arguments.max_attempts then
      given_up[#given_up + 1] = name
    else
      redis.call('ZREM', taken, name)
      redis.call('ZADD', long, redis.call('GET', clock) or '0', name)
    end
  end
  return given_up
end

return functions[arguments['function']]()

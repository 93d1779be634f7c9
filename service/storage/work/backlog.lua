-- The backlog, see backlog.py: one of the functions below, by the name `act`.
--
-- KEYS  1 pieces  2 short  3 long  4 flows  5 clock  6 callers  7 attempts  8 taken
local given = cmsgpack.unpack(ARGV[1])
local damaged = wrong_type({'hash', 'zset', 'zset', 'zset', 'string', 'hash', 'hash', 'zset'})
if damaged then return damaged end
local pieces, short, long, flows, clock, callers, attempts, taken = unpack(KEYS)
local acts = {}

-- Adds the pieces that are not there, or none if the caller would have more than `most` ms waiting (0: any number).
-- Answer: nothing | what the caller has waiting, ms
function acts.add()
  local new = {}
  for _, name in ipairs(given.names) do
    if redis.call('HEXISTS', pieces, name) == 0 then new[#new + 1] = name end
  end
  local queued = tonumber(redis.call('HGET', callers, given.caller) or '0')
  if given.most > 0 and queued + #new * given.cost > given.most then return queued end
  local flow = given.caller .. (given.is_short and ' short' or ' long')
  local finish = math.max(tonumber(redis.call('GET', clock) or '0'), tonumber(redis.call('ZSCORE', flows, flow) or '0'))
  for _, name in ipairs(new) do
    finish = finish + given.cost
    redis.call('ZADD', given.is_short and short or long, string.format('%d', finish), name)
    redis.call('HSET', pieces, name, string.format('%d', given.cost) .. ' ' .. given.caller)
  end
  redis.call('ZADD', flows, string.format('%d', finish), flow)
  if #new > 0 then redis.call('HINCRBY', callers, given.caller, string.format('%d', #new * given.cost)) end
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, given.lifetime) end
  return false
end

-- Takes the piece with the smallest finish tag, `only_short` a short one, and leases it.
-- Answer: {name, how often it has been taken, this time included} | nothing
function acts.take()
  local first, list
  for _, waiting in ipairs(given.only_short and {short} or {short, long}) do
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
  redis.call('ZADD', taken, given['until'], first[1])
  local attempt = redis.call('HINCRBY', attempts, first[1], 1)
  for _, key in ipairs({clock, taken, attempts}) do redis.call('PEXPIRE', key, given.lifetime) end
  return {first[1], attempt}
end

-- Forgets pieces. Answer: how many were there
function acts.drop()
  local dropped = 0
  for _, name in ipairs(given.names) do
    local piece = redis.call('HGET', pieces, name)
    if piece then
      local cost, caller = string.match(piece, '^(%d+) (.*)$')
      for _, key in ipairs({pieces, attempts}) do redis.call('HDEL', key, name) end
      for _, key in ipairs({short, long, taken}) do redis.call('ZREM', key, name) end
      if redis.call('HINCRBY', callers, caller, '-' .. cost) <= 0 then redis.call('HDEL', callers, caller) end
      dropped = dropped + 1
    end
  end
  return dropped
end

-- Returns pieces whose lease has run out to the front. Answer: those that were tried too often, and stay leased
function acts.give_back()
  local given_up = {}
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', taken, '-inf', given.now, 'LIMIT', 0, 100)) do
    if redis.call('HEXISTS', pieces, name) == 0 then
      redis.call('ZREM', taken, name)
    elseif tonumber(redis.call('HGET', attempts, name) or '0') >= given.max_attempts then
      given_up[#given_up + 1] = name
    else
      redis.call('ZREM', taken, name)
      redis.call('ZADD', long, redis.call('GET', clock) or '0', name)
    end
  end
  return given_up
end

return acts[given.act]()

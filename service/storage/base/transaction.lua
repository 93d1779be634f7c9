-- A transaction: commands that are run only if conditions hold. See transactions.py.
--
-- arguments  types of the keys, '' for any; requirements; steps (commands); when: conditions by number of a step,
--            which is run only if the condition holds; each: commands by number of a step, which is run for each
--            item of the reply
-- requirement {word, conditions...}: at least one condition must hold, or the transaction is refused with the word
-- condition  {test, value, command...}
-- command    {name, number of the key, arguments...}
-- argument   text, number, or a table with reply = number of a step, item, key = number, or after = ms from now;
--            prefix and suffix are added to its value
-- Answer {'done', {reply of each step, or false}} | {word}
local arguments = cmsgpack.unpack(ARGV[1])
local damaged = wrong_type(arguments.types)
if damaged then return damaged end
local own, replies, item = {}, {}, nil

local function fields_where(key, is_wanted)
  local found, fields = {}, redis.call('HGETALL', key)
  for n = 1, #fields, 2 do
    if is_wanted(fields[n], fields[n + 1]) then found[#found + 1] = fields[n] end
  end
  return found
end

local function begins(text, prefix)
  return string.sub(text, 1, #prefix) == prefix
end

function own.FIELDS_WITH(key, prefix)
  return fields_where(key, function(field) return begins(field, prefix) end)
end

function own.FIELDS_OF(key, value, excluded)
  return fields_where(key, function(field, content)
    return content == value and not (excluded and begins(field, excluded))
  end)
end

local function members_where(key, live, least, is_wanted)
  local is_sorted, found = redis.call('TYPE', key).ok == 'zset', {}
  for _, member in ipairs(is_sorted and redis.call('ZRANGE', key, 0, -1) or redis.call('SMEMBERS', key)) do
    local is_live = tonumber(redis.call('ZSCORE', live, member) or least) > tonumber(least)
    if is_live == is_wanted then found[#found + 1] = member end
  end
  return found
end

function own.LIVE(key, live, least)
  return members_where(key, live, least, true)
end

function own.ENDED(key, live, least)
  return members_where(key, live, least, false)
end

function own.OUTLIVE(key, lifetime)
  outlive(key, tonumber(lifetime))
  return false
end

function own.VERSION(key)
  local last = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2] or 0
  return string.format('%.0f', math.max(last + 1, now_ms()))
end

local function value_of(argument)
  if type(argument) ~= 'table' then return argument end
  local value = item
  if argument.after then value = string.format('%.0f', now_ms() + argument.after) end
  if argument.key then value = KEYS[argument.key] end
  if argument.reply then value = replies[argument.reply] end
  return argument.prefix .. value .. argument.suffix
end

local function run(command, first)
  local name, key, values = command[first], KEYS[command[first + 1]], {}
  for n = first + 2, #command do values[n - first - 1] = value_of(command[n]) end
  if own[name] then return own[name](key, unpack(values)) end
  return redis.call(name, key, unpack(values))
end

local function number_of(reply)
  return type(reply) == 'table' and #reply or tonumber(reply) or 0
end

local function holds(condition)
  local test, value, reply = condition[1], value_of(condition[2]), run(condition, 3)
  if test == 'equals' then return reply == value end
  if test == 'differs' then return reply ~= value end
  if test == 'below' then return number_of(reply) < tonumber(value) end
  return number_of(reply) > tonumber(value)
end

for _, requirement in ipairs(arguments.requirements) do
  local is_met = false
  for n = 2, #requirement do is_met = is_met or holds(requirement[n]) end
  if not is_met then return {requirement[1]} end
end
for n, command in ipairs(arguments.steps) do
  local each, when = arguments.each[n], arguments.when[n]
  replies[n] = false
  for _, member in ipairs(each and run(each, 1) or {false}) do
    item = member
    if not when or holds(when) then replies[n] = run(command, 1) end
  end
end
return {'done', replies}

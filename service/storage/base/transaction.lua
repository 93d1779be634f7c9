-- A transaction: commands that are run only if conditions hold. See transactions.py.
--
-- given      types: of the keys, '' for any; requirements, steps
-- requirement {word, conditions}: at least one condition must hold, or the transaction is refused with the word
-- condition  {read = command, test = name, value = argument}
-- step       {run = command}, and optionally when = condition, each = command: run for each item of its reply
-- command    {name, number of the key, arguments...}
-- argument   text, number, or a table with reply = number of a step, item, key = number, or after = ms from now;
--            prefix and suffix are added to its value
-- Answer {'done', reply of each step or false} | {word}
local given = cmsgpack.unpack(ARGV[1])
local damaged = wrong_type(given.types)
if damaged then return damaged end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local replies, item = {}, nil
local own, tests = {}, {}

function own.FIELDS_WITH(key, prefix)
  local count = 0
  for _, field in ipairs(redis.call('HKEYS', key)) do
    if string.sub(field, 1, #prefix) == prefix then count = count + 1 end
  end
  return count
end

function own.FIELDS_OF(key, value)
  local count, fields = 0, redis.call('HGETALL', key)
  for n = 2, #fields, 2 do
    if fields[n] == value then count = count + 1 end
  end
  return count
end

function own.SHARED(key, other)
  local count = 0
  for _, member in ipairs(redis.call('ZRANGE', key, 0, -1)) do
    if redis.call('ZSCORE', other, member) then count = count + 1 end
  end
  return count
end

function own.OUTLIVE(key, lifetime)
  if redis.call('PTTL', key) < tonumber(lifetime) then redis.call('PEXPIRE', key, lifetime) end
  return false
end

function own.VERSION(key)
  local last = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2] or 0
  return string.format('%.0f', math.max(last + 1, now))
end

local function value_of(argument)
  if type(argument) ~= 'table' then return argument end
  local value = item
  if argument.after then value = string.format('%.0f', now + argument.after) end
  if argument.key then value = KEYS[argument.key] end
  if argument.reply then value = replies[argument.reply] end
  return argument.prefix .. value .. argument.suffix
end

local function run(command)
  local arguments = {}
  for n = 3, #command do arguments[n - 2] = value_of(command[n]) end
  if own[command[1]] then return own[command[1]](KEYS[command[2]], unpack(arguments)) end
  return redis.call(command[1], KEYS[command[2]], unpack(arguments))
end

function tests.equals(reply, value) return reply == value end
function tests.differs(reply, value) return reply ~= value end
function tests.below(reply, value) return (tonumber(reply) or 0) < tonumber(value) end
function tests.above(reply, value) return (tonumber(reply) or 0) > tonumber(value) end

local function holds(condition)
  return tests[condition.test](run(condition.read), value_of(condition.value))
end

for _, requirement in ipairs(given.requirements) do
  local is_met = false
  for _, condition in ipairs(requirement[2]) do is_met = is_met or holds(condition) end
  if not is_met then return {requirement[1]} end
end
for n, step in ipairs(given.steps) do
  replies[n] = false
  for _, one in ipairs(step.each and run(step.each) or {false}) do
    item = one
    if not step.when or holds(step.when) then replies[n] = run(step.run) end
  end
end
return {'done', unpack(replies)}

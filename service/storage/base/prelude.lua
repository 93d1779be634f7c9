-- Precedes every script.

-- Returns unix time in ms.
local function now_ms()
  local clock = redis.call('TIME')
  return clock[1] * 1000 + math.floor(clock[2] / 1000)
end

-- Gives a key a minimum lifetime in ms.
local function outlive(key, lifetime)
  if redis.call('PTTL', key) < lifetime then redis.call('PEXPIRE', key, lifetime) end
end

-- Redis does not roll back: if a command fails on a key of the wrong type, earlier writes remain. Scripts therefore
-- check all keys before their first write and return {'damaged', number of the key}. The store raises `DamagedRecordError`.
local function wrong_type(expected)
  for n, key in ipairs(KEYS) do
    local found = redis.call('TYPE', key).ok
    if found ~= 'none' and found ~= expected[n] and expected[n] ~= '' then return {'damaged', n} end
  end
end


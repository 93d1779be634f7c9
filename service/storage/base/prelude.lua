-- Precedes every script.
--
-- Redis does not roll back: if a command fails on a key of the wrong type, earlier writes remain. Scripts therefore
-- check all keys before their first write and return {'damaged', number of the key}, which the store raises as `Damaged`.
local function wrong_type(expected)
  for n, key in ipairs(KEYS) do
    local found = redis.call('TYPE', key).ok
    if found ~= 'none' and found ~= expected[n] and expected[n] ~= '' then return {'damaged', n} end
  end
end


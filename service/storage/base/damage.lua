-- Stands before every script: whether a key is there with another type than it should have.
--
-- Redis undoes nothing: a command that fails on such a key would leave what was written before it. So a script asks
-- this before its first write, and answers {'damaged', number of the key}, which the store tells as `Damaged`.
local function wrong_type(expected)
  for n, key in ipairs(KEYS) do
    local found = redis.call('TYPE', key).ok
    if found ~= 'none' and found ~= expected[n] then return {'damaged', n} end
  end
end


-- Delete keys of the matchmaker whose values have another type.
--
-- KEYS  the keys
-- ARGV  the type of each
--
-- Returns the keys that were deleted.

local deleted = {}
for i, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= 'none' and kind ~= ARGV[i] then
    redis.call('DEL', key)
    deleted[#deleted + 1] = key
  end
end
return deleted

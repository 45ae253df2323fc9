-- Compare and set any number of fields of the hashes of one resource.
--
-- KEYS  the hashes, and last the hash with the number of changes of each, by key
-- ARGV  for each change: the number of its hash from 1   field   0: expected absent, 1: expected value, 2: any
--       expected value   0: remove the field, 1: set it   new value
--
-- Returns 1 if all fields have the new values now, 0 if one had another value than expected, and nothing has changed.

local expected, unchanged = true, true
for at = 1, #ARGV, 6 do
    local held = redis.call('HGET', KEYS[tonumber(ARGV[at])], ARGV[at + 1])
    local mode = ARGV[at + 2]
    if (mode == '0' and held) or (mode == '1' and held ~= ARGV[at + 3]) then expected = false end
    local wanted = ARGV[at + 4] == '1' and ARGV[at + 5]
    if held ~= wanted then unchanged = false end
end
if unchanged then return 1 end
if not expected then return 0 end
for at = 1, #ARGV, 6 do
    local key, field = KEYS[tonumber(ARGV[at])], ARGV[at + 1]
    if ARGV[at + 4] == '1' then
        redis.call('HSET', key, field, ARGV[at + 5])
    else
        redis.call('HDEL', key, field)
    end
end
local revisions = KEYS[#KEYS]
for at = 1, #KEYS - 1 do
    redis.call('HSET', revisions, KEYS[at], (redis.call('HGET', revisions, KEYS[at]) or 0) + 1)
end
return 1

-- Read parts of one resource at one moment.
--
-- KEYS  the hashes
--
-- Returns the fields and values of each hash.

local parts = {}
for at, key in ipairs(KEYS) do parts[at] = redis.call('HGETALL', key) end
return parts

#!lua flags=allow-oom
-- Compare and set the format of the store. Allowed without memory, because a full store must be able to start.
--
-- KEYS  1 hash of the store
-- ARGV  1 format in decimal, empty for none   2 new format   3 build that writes the store in it
--
-- Returns 1 if the store has the new format now, 0 if it had another one than expected.

local stored = redis.call('HGET', KEYS[1], 'f') or ''
if stored == ARGV[2] then return 1 end
if stored ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'f', ARGV[2], 'b', ARGV[3])
return 1

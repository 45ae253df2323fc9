-- Set a field unless it is set already.
--
-- KEYS  1 the hash
-- ARGV  1 field   2 value
--
-- Returns 1 if it set the field, 0 if the field was set.

if redis.call('HGET', KEYS[1], ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1

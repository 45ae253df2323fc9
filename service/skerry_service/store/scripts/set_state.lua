-- Compare and set the state of a delivery of a session.
--
-- KEYS  1 hash of the session
-- ARGV  1 field   2 expected value, empty for none   3 new value
--
-- Returns 1 if the field has the new value now, 0 if it had another one than expected or the session does not exist.

local stored = redis.call('HMGET', KEYS[1], 's', ARGV[1])
if not stored[1] then return 0 end
if (stored[2] or '') == ARGV[3] then return 1 end
if (stored[2] or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1

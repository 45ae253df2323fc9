-- Mark something at a session, in place of what is there as far as the caller knows.
--
-- KEYS  1 the session's hash
-- ARGV  1 field   2 what is there, empty for nothing   3 what is to be
--
-- Returns 1 done, also by an earlier run of the same call; 0 not: something else is there, or the session is not.

local known = redis.call('HMGET', KEYS[1], 's', ARGV[1])
if not known[1] then return 0 end
if (known[2] or '') == ARGV[3] then return 1 end
if (known[2] or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1

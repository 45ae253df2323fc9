-- Say when to look at a session again, unless somebody has said so since.
--
-- KEYS  1 the index
-- ARGV  1 the session   2 the age at which it stands there, as far as the caller knows   3 another age, or empty: never
--
-- Returns 1 done, 0 not.

local stands = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not stands or tonumber(stands) ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '' then redis.call('ZREM', KEYS[1], ARGV[1]) else redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
return 1

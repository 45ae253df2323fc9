-- Schedule the next check of a leased session, unless it has been scheduled anew since the lease was given.
--
-- KEYS  1 the index
-- ARGV  1 the session   2 the lease: the uptime of its entry   3 uptime of the next check, or empty for none
--
-- Returns 1 if it was done, 0 if not.

local leased = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not leased or tonumber(leased) ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '' then redis.call('ZREM', KEYS[1], ARGV[1]) else redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
return 1

-- Write a whole session from a backup, unless one of that id exists.
--
-- KEYS  1 hash of the session   2 its log
-- ARGV  1 number of fields   then fields and values of the hash   then ids and batches of the log
--
-- Returns 1 if it was written, 0 if the session exists.

if redis.call('EXISTS', KEYS[1]) + redis.call('EXISTS', KEYS[2]) > 0 then return 0 end

local last = 1 + 2 * tonumber(ARGV[1])
for i = 2, last, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
for i = last + 1, #ARGV, 2 do redis.call('XADD', KEYS[2], ARGV[i], 'b', ARGV[i + 1]) end
return 1

-- Replace record and snapshot of a session that has not changed since its log was read.
--
-- KEYS  1 hash of the session   2 its log
-- ARGV  1 sequence   2 chained hash   3 snapshot   4 record
--
-- Returns 1 if they were replaced, else 0.

local head = redis.call('HMGET', KEYS[1], 's', 'm')
if head[1] ~= ARGV[1] or (head[2] or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 't', ARGV[3], 'r', ARGV[4])
return 1

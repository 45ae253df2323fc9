-- Write the log and the head of a session anew, if its tip is still the one that was read.
--
-- KEYS  1 hash of the session, and name of its channel   2 its log
-- ARGV  1 sequence   2 chained hash   3 record   4 snapshot   5 window of requests   6 new chained hash
--       then the last sequence and the batch of each record of the log
--
-- Returns 1 if it was written, 0 if the session has another tip or does not exist.

local head = redis.call('HMGET', KEYS[1], 's', 'm')
if head[1] ~= ARGV[1] or (head[2] or '') ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[2])
for i = 7, #ARGV, 2 do redis.call('XADD', KEYS[2], ARGV[i] .. '-0', 'b', ARGV[i + 1]) end
redis.call('HSET', KEYS[1], 'r', ARGV[3], 't', ARGV[4], 'q', ARGV[5], 'm', ARGV[6])
-- The hash of this batch is new to replicas that follow the session, so they read the whole log again.
redis.call('SPUBLISH', KEYS[1], ARGV[#ARGV])
return 1

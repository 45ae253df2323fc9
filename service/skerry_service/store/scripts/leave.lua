-- Delete a session that has been archived, if it still stands where the archive's copy does.
--
-- KEYS  1 the session's hash   2 its log
-- ARGV  1 sequence   2 chained hash
--
-- Returns 1 if it is gone now, or was before, 0 if it stands elsewhere.

local head = redis.call('HMGET', KEYS[1], 's', 'm')
if not head[1] then return 1 end
if head[1] ~= ARGV[1] or (head[2] or '') ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
return 1

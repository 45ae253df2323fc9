-- Delete an archived session if its tip is still that of the archive's copy.
--
-- KEYS  1 hash of the session   2 its log
-- ARGV  1 sequence   2 chained hash
--
-- Returns 1 if the session is gone now, or was before, 0 if it has another tip.

local head = redis.call('HMGET', KEYS[1], 's', 'm')
if not head[1] then return 1 end
if head[1] ~= ARGV[1] or (head[2] or '') ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
return 1

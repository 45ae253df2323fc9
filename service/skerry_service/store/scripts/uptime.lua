-- Advance the store's uptime, never back, and record the latest wall-clock time.
--
-- KEYS  1 hash of the store
-- ARGV  1 uptime in ms, as the caller knows it   2 the caller's wall clock, in ms since 1970
--
-- Returns {uptime, latest wall-clock time recorded before, or false}.

local stored = redis.call('HMGET', KEYS[1], 'a', 'w')
local uptime, latest = ARGV[1], ARGV[2]
if stored[1] and tonumber(stored[1]) > tonumber(uptime) then uptime = stored[1] end
if stored[2] and tonumber(stored[2]) > tonumber(latest) then latest = stored[2] end
redis.call('HSET', KEYS[1], 'a', uptime, 'w', latest)
return {uptime, stored[2]}

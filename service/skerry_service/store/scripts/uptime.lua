-- Advance the store's uptime, never back, and record the latest wall-clock time.
--
-- KEYS  1 hash of the store
-- ARGV  1 uptime in ms, as the caller knows it   2 the caller's wall clock, in ms since 1970
--
-- Returns {uptime, latest wall-clock time recorded before, or false}.

local stored = redis.call('HMGET', KEYS[1], 'a', 'w')
local uptime, latest = ARGV[1], ARGV[2]
-- A damaged number counts as none, and this tick overwrites it. Fifteen digits are 30,000 years.
local function later(one, than)
  return one and #one <= 15 and tonumber(string.match(one, '^%d+$') or 0) > tonumber(than) and one or than
end
uptime, latest = later(stored[1], uptime), later(stored[2], latest)
redis.call('HSET', KEYS[1], 'a', uptime, 'w', latest)
return {uptime, stored[2]}

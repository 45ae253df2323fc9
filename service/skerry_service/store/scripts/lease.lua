#!lua flags=allow-oom
-- Postpone the checks of sessions, also when no memory is left: these sessions leave the store.
--
-- KEYS  1 the index
-- ARGV  1 the uptime until which to postpone   2.. the sessions
--
-- Returns the sessions that the caller has leased. Of several callers at the same uptime, only one moves an entry.

local leased = {}
for i = 2, #ARGV do
  if redis.call('ZADD', KEYS[1], 'XX', 'GT', 'CH', ARGV[1], ARGV[i]) == 1 then leased[#leased + 1] = ARGV[i] end
end
return leased

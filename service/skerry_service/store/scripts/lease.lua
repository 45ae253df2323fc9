#!lua flags=allow-oom
-- Put off when to look at sessions, also where there is no memory left: what is looked at here leaves the store.
--
-- KEYS  1 the index
-- ARGV  1 the age until which they are put off   2.. the sessions
--
-- Returns those that were: whoever moves an entry has it; for others, who ask at the same age, it does not move.

local taken = {}
for i = 2, #ARGV do
  if redis.call('ZADD', KEYS[1], 'XX', 'GT', 'CH', ARGV[1], ARGV[i]) == 1 then taken[#taken + 1] = ARGV[i] end
end
return taken

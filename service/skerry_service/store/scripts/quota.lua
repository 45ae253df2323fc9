-- Count one call against several rates at once: all of them, or none if one has no room (GCRA, see quotas/counters.py).
--
-- KEYS  one for each rate: the time by which all that was taken from it has come back (us)
-- ARGV  two for each rate: us after which one comes back, how many there are at once
--
-- Returns 0 counted, or {which rate has no room, from 1; us after which it has}, of several the one that takes longest.

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local ends, which, longest = {}, 0, 0
for i, key in ipairs(KEYS) do
  local step = tonumber(ARGV[2 * i - 1])
  local all = step * tonumber(ARGV[2 * i])
  -- Further ahead than all of it lies only what was stored before the clock was set back.
  local back = math.min(tonumber(redis.call('GET', key) or now), now + all)
  ends[i] = math.max(back, now) + step
  if ends[i] - all - now > longest then which, longest = i, ends[i] - all - now end
end
if which > 0 then return {which, longest} end
for i, key in ipairs(KEYS) do
  redis.call('SET', key, string.format('%.0f', ends[i]), 'PX', math.ceil((ends[i] - now) / 1000))
end
return 0

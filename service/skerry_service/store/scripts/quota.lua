-- Count one call against several rates: against all of them, or none if one is used up (GCRA, see access/gcra.py).
--
-- KEYS  one for each rate: the time (us) at which the rate is unused again
-- ARGV  two for each rate: us in which one call is regained, calls that are possible at once
--
-- Returns 0 if the call was counted, or {number of the rate that is used up, from 1; us until it allows a call}. If
-- several are used up, it is the one that takes longest.

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local ends, which, longest = {}, 0, 0
for i, key in ipairs(KEYS) do
  local step = tonumber(ARGV[2 * i - 1])
  local all = step * tonumber(ARGV[2 * i])
  -- A stored time is further ahead only if the clock was set back after it was stored.
  local stored = tonumber(string.match(redis.call('GET', key) or '', '^%d+$')) -- a damaged value counts as none
  local unused = math.min(stored or now, now + all)
  ends[i] = math.max(unused, now) + step
  if ends[i] - all - now > longest then which, longest = i, ends[i] - all - now end
end
if which > 0 then return {which, longest} end
for i, key in ipairs(KEYS) do
  redis.call('SET', key, string.format('%.0f', ends[i]), 'PX', math.ceil((ends[i] - now) / 1000))
end
return 0

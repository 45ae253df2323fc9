-- Count one call against several rates: against all of them, or none if one is used up (GCRA, see access/gcra.py).
--
-- KEYS  one for each rate: the time (us) at which the rate is unused again
-- ARGV  two for each rate: us in which one call is regained, calls that are possible at once
--
-- Returns {number of the rate that is used up, from 1; us until it allows a call; for each rate, us until it is unused
-- again}. The first two are 0 if the call was counted. If several are used up, it is the one that takes longest.

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local ends, used, which, longest = {}, {}, 0, 0
for i, key in ipairs(KEYS) do
  local step = tonumber(ARGV[2 * i - 1])
  local all = step * tonumber(ARGV[2 * i])
  -- A stored time is further ahead only if the clock was set back after it was stored.
  local stored = tonumber(string.match(redis.call('GET', key) or '', '^%d+$')) -- a damaged value counts as none
  local unused = math.min(stored or now, now + all)
  used[i] = math.max(unused, now) - now
  ends[i] = now + used[i] + step
  if ends[i] - all - now > longest then which, longest = i, ends[i] - all - now end
end
if which > 0 then return {which, longest, unpack(used)} end
for i, key in ipairs(KEYS) do
  redis.call('SET', key, string.format('%.0f', ends[i]), 'PX', math.ceil((ends[i] - now) / 1000))
  used[i] = ends[i] - now
end
return {0, 0, unpack(used)}

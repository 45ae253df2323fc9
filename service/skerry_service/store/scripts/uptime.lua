-- Advance the store's uptime, never back, and record the latest wall-clock time. Announce a live replica.
--
-- KEYS  1 hash of the store   2 absent, or the sorted set of live replicas
-- ARGV  1 uptime in ms, as the caller knows it   2 the caller's wall clock, in ms since 1970
--       3 id of the caller's replica (16 characters) and what it announces, or empty   4 its load, or empty
--
-- Returns {uptime, latest wall-clock time recorded before, or false, {id and announcement of a live replica, uptime of
-- its last announcement, ...}, value of the last change of the bans, or false, mark of a caller that drains, or false}.

local id = string.sub(ARGV[3] or '', 1, 16)
local stored = redis.call('HMGET', KEYS[1], 'a', 'w', 'n', 'drain:' .. id)
local uptime, latest = ARGV[1], ARGV[2]
-- A damaged number counts as none, and this tick overwrites it. Fifteen digits are 30,000 years.
local function later(one, than)
  return one and #one <= 15 and tonumber(string.match(one, '^%d+$') or 0) > tonumber(than) and one or than
end
uptime, latest = later(stored[1], uptime), later(stored[2], latest)
if id ~= '' and (ARGV[4] or '') ~= '' then
  redis.call('HSET', KEYS[1], 'a', uptime, 'w', latest, 'load:' .. id, ARGV[4])
else
  redis.call('HSET', KEYS[1], 'a', uptime, 'w', latest)
end

if not KEYS[2] then return {uptime, stored[2], {}, stored[3], stored[4]} end
-- A replica is live until 15 s after its last announcement, one each 4 s, and is removed after a minute.
local now = tonumber(uptime)
if ARGV[3] ~= '' then redis.call('ZADD', KEYS[2], uptime, ARGV[3]) end
local known, live = redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES'), {}
for i = 1, #known, 2 do
  if tonumber(known[i + 1]) >= now - 15000 then
    live[#live + 1], live[#live + 2] = known[i], known[i + 1]
  end
end
if known[2] and tonumber(known[2]) < now - 60000 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('(%.0f', now - 60000))
  -- Also fields that builds without them left behind when they removed an entry.
  local kept = {}
  for i = 1, #known, 2 do
    if tonumber(known[i + 1]) >= now - 60000 then kept[string.sub(known[i], 1, 16)] = true end
  end
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    local replica = string.match(field, '^load:(.*)$') or string.match(field, '^drain:(.*)$')
    if replica and not kept[replica] then redis.call('HDEL', KEYS[1], field) end
  end
end
return {uptime, stored[2], live, stored[3], stored[4]}

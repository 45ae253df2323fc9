-- Add and remove index keys of a listed session.
--
-- KEYS  1 the list   2 the sorted set of index keys   3 the hash of each session's keys (14 digits of sequence, keys)
-- ARGV  1 the session   2 sequence as of which the change holds, or empty: only if the session has no index keys yet
--       3 index keys to add, 8 bytes each   4 index keys to remove, none of those
--       5 absent, or the time since which to list the session (ms), unless it is listed already
--
-- Returns 1 if it was done, 0 if the session is not listed, or has index keys already.

local session = ARGV[1]
if ARGV[5] then redis.call('ZADD', KEYS[1], 'NX', ARGV[5], session) end
local since = redis.call('ZSCORE', KEYS[1], session)
if not since then return 0 end
local stored = redis.call('HGET', KEYS[3], session)
if ARGV[2] == '' and (stored or ARGV[3] == '') then return 0 end

local latest = stored and tonumber(string.sub(stored, 1, 14)) or 0
local sequence = tonumber(ARGV[2]) or 0
-- A caller that does not know the latest entry does not know which keys are stale, so it removes none.
local removed = sequence < latest and '' or ARGV[4]
local suffix = string.format('%014.0f', tonumber(since)) .. session

local all, seen = (stored and string.sub(stored, 15) or '') .. ARGV[3], {}
for i = 1, #removed, 8 do
  local index_key = string.sub(removed, i, i + 7)
  seen[index_key] = true
  redis.call('ZREM', KEYS[2], index_key .. suffix)
end
local kept = {}
for i = 1, #all, 8 do
  local index_key = string.sub(all, i, i + 7)
  if not seen[index_key] then
    seen[index_key] = true
    kept[#kept + 1] = index_key
    redis.call('ZADD', KEYS[2], 0, index_key .. suffix)
  end
end
redis.call('HSET', KEYS[3], session, string.format('%014.0f', math.max(latest, sequence)) .. table.concat(kept))
return 1

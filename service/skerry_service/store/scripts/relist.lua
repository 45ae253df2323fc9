-- Have a listed session found under more index_keys, and under others no longer.
--
-- KEYS  1 the list   2 the index_keys   3 what each session is found under: 14 digits of sequence, then its index_keys
-- ARGV  1 the session   2 sequence as of which that is so, or empty: only if it is found under nothing yet
--       3 index_keys that it enters, 8 bytes each   4 index_keys that it leaves, none of those
--       5 absent, or since when it is listed (ms) from now on, unless it is already
--
-- Returns 1 done; 0 not: it is not listed, or known already.

local session = ARGV[1]
if ARGV[5] then redis.call('ZADD', KEYS[1], 'NX', ARGV[5], session) end
local since = redis.call('ZSCORE', KEYS[1], session)
if not since then return 0 end
local held = redis.call('HGET', KEYS[3], session)
if ARGV[2] == '' and (held or ARGV[3] == '') then return 0 end

local known = held and tonumber(string.sub(held, 1, 14)) or 0
local sequence = tonumber(ARGV[2]) or 0
-- Who does not know the latest entry cannot say what is over; what was said of it before it was stored stands.
local leaves = sequence < known and '' or ARGV[4]
local place = string.format('%014.0f', tonumber(since)) .. session

local all, seen = (held and string.sub(held, 15) or '') .. ARGV[3], {}
for i = 1, #leaves, 8 do
  local index_key = string.sub(leaves, i, i + 7)
  seen[index_key] = true
  redis.call('ZREM', KEYS[2], index_key .. place)
end
local kept = {}
for i = 1, #all, 8 do
  local index_key = string.sub(all, i, i + 7)
  if not seen[index_key] then
    seen[index_key] = true
    kept[#kept + 1] = index_key
    redis.call('ZADD', KEYS[2], 0, index_key .. place)
  end
end
redis.call('HSET', KEYS[3], session, string.format('%014.0f', math.max(known, sequence)) .. table.concat(kept))
return 1

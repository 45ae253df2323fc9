-- Remove sessions from the list, with their index keys.
--
-- KEYS  1 the list   2 the sorted set of index keys   3 the hash of each session's keys (see relist.lua)
-- ARGV  the sessions

for _, session in ipairs(ARGV) do
  local since = redis.call('ZSCORE', KEYS[1], session)
  local stored = redis.call('HGET', KEYS[3], session)
  if since and stored then
    local suffix = string.format('%014.0f', tonumber(since)) .. session
    for i = 15, #stored, 8 do redis.call('ZREM', KEYS[2], string.sub(stored, i, i + 7) .. suffix) end
  end
  if stored then redis.call('HDEL', KEYS[3], session) end
  redis.call('ZREM', KEYS[1], session)
end

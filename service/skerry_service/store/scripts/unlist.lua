-- Take sessions off the list, whatever they are found under.
--
-- KEYS  1 the list   2 the index_keys   3 what each session is found under (see relist.lua)
-- ARGV  the sessions

for _, session in ipairs(ARGV) do
  local since = redis.call('ZSCORE', KEYS[1], session)
  local held = redis.call('HGET', KEYS[3], session)
  if since and held then
    local place = string.format('%014.0f', tonumber(since)) .. session
    for i = 15, #held, 8 do redis.call('ZREM', KEYS[2], string.sub(held, i, i + 7) .. place) end
  end
  if held then redis.call('HDEL', KEYS[3], session) end
  redis.call('ZREM', KEYS[1], session)
end

-- Renew the lease of a matcher and read the messages to it.
--
-- KEYS  1 the matcher   2 messages to it
-- ARGV  1 its term   2 the uptime until which to renew the lease   3 id of the last message handled; empty: as stored
--
-- Returns {id of the last message, messages}, or 0 if another replica is the matcher.

local state = redis.call('HMGET', KEYS[1], 'term', 'handled')
if state[1] ~= ARGV[1] then return 0 end
local last = ARGV[3] ~= '' and ARGV[3] or string.match(state[2] or '', '^%d+%-%d+$') or '0'
redis.call('HSET', KEYS[1], 'until', ARGV[2], 'handled', last)
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, 3600000) end
local messages = {}
for i, record in ipairs(redis.call('XRANGE', KEYS[2], '(' .. last, '+')) do
  last, messages[i] = record[1], record[2][2]
end
return {last, messages}

-- Replace the TTL of a session by the uptime at which it expires. A session without a TTL stays as it is.
--
-- KEYS  1 hash of the session   2 its log
-- ARGV  1 uptime of the store in ms
--
-- Returns 1 if the session had a TTL, else 0.

local left = redis.call('PTTL', KEYS[1])
if left < 0 then return 0 end
if (redis.call('HGET', KEYS[1], 'e') or '') == '' then
  redis.call('HSET', KEYS[1], 'e', string.format('%.0f', tonumber(ARGV[1]) + left))
end
redis.call('PERSIST', KEYS[2])
redis.call('PERSIST', KEYS[1])
return 1

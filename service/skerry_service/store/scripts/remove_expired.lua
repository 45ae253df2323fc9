-- Remove deleted sessions from the index of expiry, except those that were added again meanwhile.
--
-- KEYS  1 the index
-- ARGV  1 uptime of the store in ms   2.. the sessions

for i = 2, #ARGV do
  local expires = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if expires and tonumber(expires) <= tonumber(ARGV[1]) then redis.call('ZREM', KEYS[1], ARGV[i]) end
end
return 1

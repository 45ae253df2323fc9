-- Take sessions that are gone out of the index of ends, but for those that were put there anew in the meantime.
--
-- KEYS  1 the index of ends
-- ARGV  1 age of the store, in ms   2.. the sessions

for i = 2, #ARGV do
  local ends = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if ends and tonumber(ends) <= tonumber(ARGV[1]) then redis.call('ZREM', KEYS[1], ARGV[i]) end
end
return 1

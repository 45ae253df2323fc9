-- End the lease of a matcher, and wake the replicas so that another takes it.
--
-- KEYS  1 the matcher
-- ARGV  1 its term

if redis.call('HGET', KEYS[1], 'term') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'until', 0)
  redis.call('SPUBLISH', KEYS[1], 'r')
end
return 1

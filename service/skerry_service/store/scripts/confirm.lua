#!lua flags=allow-oom
-- Write a key of no meaning, also when no memory is left. A replica that confirms it has every earlier write.
--
-- KEYS  1 a key that is never read
-- ARGV  1 its lifetime in ms

redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
return 1

#!lua flags=allow-oom
-- Write something of no meaning, also where there is no memory left: who confirms it has all that was written before.
--
-- KEYS  1 a key that nobody reads
-- ARGV  1 ms to keep it

redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
return 1

-- Read a whole session for a backup.
--
-- KEYS  1 hash of the session   2 its log
--
-- Returns {fields and values of the hash, records of the log}.

return {redis.call('HGETALL', KEYS[1]), redis.call('XRANGE', KEYS[2], '-', '+')}

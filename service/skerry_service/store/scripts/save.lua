-- Read all of a session, as it stands now.
--
-- KEYS  1 the session's hash   2 its log
--
-- Returns {fields and values of the hash, records of the log}.

return {redis.call('HGETALL', KEYS[1]), redis.call('XRANGE', KEYS[2], '-', '+')}

-- End a session, if its lifetime is over.
--
-- KEYS  1 the session's hash   2 its log
-- ARGV  1 age of the store, in ms
--
-- Returns the age at which it ends (a string) if that is still to come, 0 if it is gone now.

local ends = redis.pcall('HGET', KEYS[1], 'e') -- an error, if something else stands where the hash should
if type(ends) == 'string' and (tonumber(ends) or 0) > tonumber(ARGV[1]) then return ends end
redis.call('DEL', KEYS[1], KEYS[2])
return 0

-- Delete a session if it has expired.
--
-- KEYS  1 hash of the session   2 its log
-- ARGV  1 uptime of the store in ms
--
-- Returns the uptime at which it expires (a string) if that is still to come. If the session is gone now, {its record};
-- the record is empty if there was none.

local expires = redis.pcall('HGET', KEYS[1], 'e') -- an error if the key is no hash
local number = type(expires) == 'string' and #expires <= 15 and string.match(expires, '^%d+$')
if number and tonumber(number) > tonumber(ARGV[1]) then return expires end
local record = redis.pcall('HGET', KEYS[1], 'r')
redis.call('DEL', KEYS[1], KEYS[2])
return {type(record) == 'string' and record or ''}

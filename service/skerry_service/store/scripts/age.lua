-- Let the store grow older, never younger, and note the latest time that a clock has shown.
--
-- KEYS  1 the store's hash
-- ARGV  1 age, in ms, as the caller knows it   2 time of the caller's clock, in ms since 1970
--
-- Returns {age, latest time noted before, or false}.

local known = redis.call('HMGET', KEYS[1], 'a', 'w')
local age, latest = ARGV[1], ARGV[2]
if known[1] and tonumber(known[1]) > tonumber(age) then age = known[1] end
if known[2] and tonumber(known[2]) > tonumber(latest) then latest = known[2] end
redis.call('HSET', KEYS[1], 'a', age, 'w', latest)
return {age, known[2]}

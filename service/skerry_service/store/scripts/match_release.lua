-- Remove the claim of a ticket, if it is the expected one.
--
-- KEYS  1 the claim
-- ARGV  1 the expected claim

if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1

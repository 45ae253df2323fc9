-- Store a new session, or return the head of the session that exists.
--
-- KEYS  1 hash of the session   2 its log
-- ARGV  1 sequence   2 batch, or empty   3 snapshot   4 record   5 entry for the window of requests, or empty
--       6 uptime at which it expires, or empty for never   7 chained hash
--
-- Returns 1 stored, or {sequence, record, snapshot, hash} of the existing session.

if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('HMGET', KEYS[1], 's', 'r', 't', 'm') end

if ARGV[2] ~= '' then redis.call('XADD', KEYS[2], ARGV[1] .. '-0', 'b', ARGV[2]) end
redis.call(
  'HSET', KEYS[1],
  's', ARGV[1], 'r', ARGV[4], 't', ARGV[3], 'q', ARGV[5], 'm', ARGV[7], 'e', ARGV[6]
)
return 1

-- Mark a session of a player as over, and keep the newest sessions that are over.
--
-- KEYS  1 the player's sessions
-- ARGV  1 the session   2 its time of creation (ms)   3 what is added to the score of sessions that are not over
--       4 number of sessions to keep

redis.call('ZADD', KEYS[1], 'XX', ARGV[2], ARGV[1])
local over = redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. ARGV[3])
local surplus = over - tonumber(ARGV[4])
if surplus > 0 then
  for _, session in ipairs(redis.call('ZRANGE', KEYS[1], 0, surplus - 1)) do redis.call('ZREM', KEYS[1], session) end
end

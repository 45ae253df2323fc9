-- Write a note, unless it is another one by now than it was taken for.
--
-- KEYS  1 the note
-- ARGV  1 version that it must have: empty for none, * for any   2 its new version   3 value, or empty to take it away
--       4 ms to keep it
--
-- Returns 1 written, 0 not.

local version = redis.call('HGET', KEYS[1], 'v') or ''
if version == ARGV[2] then return 1 end -- by this very call, whose answer was lost
if ARGV[1] ~= '*' and version ~= ARGV[1] then return 0 end
if ARGV[3] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('HSET', KEYS[1], 'v', ARGV[2], 'p', ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
return 1

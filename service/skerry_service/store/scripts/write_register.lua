-- Write a register, unless its version is not the expected one.
--
-- KEYS  1 the register
-- ARGV  1 expected version: empty for no register, * for any   2 new version   3 value, or empty to delete the register
--       4 its lifetime in ms
--
-- Returns 1 if it was written, 0 if not.

local version = redis.call('HGET', KEYS[1], 'v') or ''
if version == ARGV[2] then return 1 end -- an earlier run of this call, whose reply was lost
if ARGV[1] ~= '*' and version ~= ARGV[1] then return 0 end
if ARGV[3] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('HSET', KEYS[1], 'v', ARGV[2], 'p', ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
return 1

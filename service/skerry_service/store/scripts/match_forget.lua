-- Remove the no-shows of callers, and look for a text in what matchmaking has stored.
--
-- KEYS  1 the matcher   2 messages to it   3 agreed matches   4 no-shows
-- ARGV  1 the text   then the callers
--
-- Returns {number of no-shows removed, number of messages and agreed matches that have the text}.

local removed = 0
for i = 2, #ARGV do removed = removed + redis.call('ZREM', KEYS[4], ARGV[i]) end

local function after(one, other)
  local ms, number = string.match(one, '^(%d+)%-(%d+)$')
  local other_ms, other_number = string.match(other, '^(%d+)%-(%d+)$')
  if not other_ms then return true end
  if ms ~= other_ms then return tonumber(ms) > tonumber(other_ms) end
  return tonumber(number) > tonumber(other_number)
end

-- Handled messages stay until the next one arrives.
local handled = redis.call('HGET', KEYS[1], 'handled') or ''
local found, waiting = 0, false
for _, message in ipairs(redis.call('XRANGE', KEYS[2], '-', '+')) do
  if after(message[1], handled) then
    waiting = true
    if string.find(message[2][2], ARGV[1], 1, true) then found = found + 1 end
  end
end
if not waiting then redis.call('DEL', KEYS[2]) end
for _, match in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
  if string.find(match, ARGV[1], 1, true) then found = found + 1 end
end
return {removed, found}

-- Append one batch to a session, unless the request is known or the session has moved on.
--
-- KEYS  1 the session's hash, which is also the name of its channel   2 its log
-- ARGV  1 base   2 last sequence of the batch   3 batch   4 snapshot
--       5 entry for the request window (20 bytes, see window.py), or empty
--       6 lifetime in ms, or empty to leave it   7 mark of the base   8 mark of this head
--       9 record, absent when it has not changed
--
-- Returns 1 stored, 0 gone, the sequence (a string) on a conflict, {payload .. last} for a known request.

local head = redis.call('HMGET', KEYS[1], 's', 'q', 'm')
local sequence, window = head[1], head[2] or ''
if not sequence then return 0 end

-- The request comes first: a repeat looks at a state that its own first run made stale.
local entry = ARGV[5]
if entry ~= '' then
  local id = string.sub(entry, 1, 8)
  local at = string.find(window, id, 1, true)
  while at do
    if at % 20 == 1 then return {string.sub(window, at + 8, at + 19)} end
    at = string.find(window, id, at + 1, true)
  end
  window = string.sub(window .. entry, -640)
end

-- The mark tells a log that lost its end and grew another one of the same length from the one that was decided on.
if sequence ~= ARGV[1] or (head[3] or '') ~= ARGV[7] then return sequence end

-- XADD is the first write: if the server refuses writes (memory, read-only) it refuses here, with nothing done.
redis.call('XADD', KEYS[2], ARGV[2] .. '-0', 'b', ARGV[3])
if ARGV[9] then
  redis.call('HSET', KEYS[1], 's', ARGV[2], 't', ARGV[4], 'q', window, 'm', ARGV[8], 'r', ARGV[9])
else
  redis.call('HSET', KEYS[1], 's', ARGV[2], 't', ARGV[4], 'q', window, 'm', ARGV[8])
end

if ARGV[6] ~= '' then
  redis.call('PEXPIRE', KEYS[1], ARGV[6])
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
elseif sequence == '0' then
  -- This may have been the first batch, and the log is new: it ends with the hash.
  local ends = redis.call('PEXPIRETIME', KEYS[1])
  if ends > 0 then redis.call('PEXPIREAT', KEYS[2], ends) end
end

redis.call('SPUBLISH', KEYS[1], ARGV[3])
return 1

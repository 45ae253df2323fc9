-- Append one batch to a session, unless the request is known or the session has moved on.
--
-- KEYS  1 the session's hash, which is also the name of its channel   2 its log
-- ARGV  1 base   2 last sequence of the batch   3 batch   4 snapshot
--       5 entry for the request window (20 bytes, see window.py), or empty
--       6 age at which the session ends, or empty to leave it   7 chained hash of the base   8 that of this head
--       9 record, absent when it has not changed
--
-- Returns 1 stored, 0 gone, -1 damaged, the sequence (a string) on a conflict, {payload .. last} for a known request.

local head = redis.call('HMGET', KEYS[1], 's', 'q', 'm', 'e')
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

-- The hash tells a log that lost its end and grew another one of the same length from the one that was decided on.
if sequence ~= ARGV[1] or (head[3] or '') ~= ARGV[7] then return sequence end

-- A head can outlive its log, or a part of it, in a store that evicts or that somebody mended by hand. What is added
-- to such a log is lost with the first replay, so nothing is.
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if (last and last[1] or '0-0') ~= sequence .. '-0' then return -1 end

-- XADD is the first write: if the server refuses writes (memory, read-only) it refuses here, with nothing done.
redis.call('XADD', KEYS[2], ARGV[2] .. '-0', 'b', ARGV[3])
local ends = ARGV[6] ~= '' and ARGV[6] or head[4] or ''
if ARGV[9] then
  redis.call('HSET', KEYS[1], 's', ARGV[2], 't', ARGV[4], 'q', window, 'm', ARGV[8], 'e', ends, 'r', ARGV[9])
else
  redis.call('HSET', KEYS[1], 's', ARGV[2], 't', ARGV[4], 'q', window, 'm', ARGV[8], 'e', ends)
end

redis.call('SPUBLISH', KEYS[1], ARGV[3])
return 1

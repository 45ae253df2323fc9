-- Append one batch to a session, unless the request is known or the session has another tip.
--
-- KEYS  1 hash of the session, and name of its channel   2 its log
-- ARGV  1 base   2 last sequence of the batch   3 batch   4 snapshot
--       5 entry for the window of requests (20 bytes, see request_window.py), or empty
--       6 uptime at which the session expires, or empty to leave it   7 chained hash of the base   8 of the new head
--       9 record, absent if it has not changed
--
-- Returns 1 stored, 0 gone, -1 damaged, the sequence (a string) on a conflict, {payload .. last} for a known request.

local head = redis.call('HMGET', KEYS[1], 's', 'q', 'm', 'e')
local sequence, window = head[1], head[2] or ''
if not sequence then return 0 end

-- The request is checked first: the first run of a repeated call has moved the session on.
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

-- The hash detects a log that lost its end and grew again to the same length with other entries.
if sequence ~= ARGV[1] or (head[3] or '') ~= ARGV[7] then return sequence end

-- In a store that evicts keys, or that an operator edited, the log can be missing or too short. The next replay would
-- lose a batch that is appended to such a log.
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if (last and last[1] or '0-0') ~= sequence .. '-0' then return -1 end

-- XADD is the first write: a server that refuses writes (no memory, read-only) refuses here, with nothing written.
redis.call('XADD', KEYS[2], ARGV[2] .. '-0', 'b', ARGV[3])
local expires = ARGV[6] ~= '' and ARGV[6] or head[4] or ''
if ARGV[9] then
  redis.call('HSET', KEYS[1], 's', ARGV[2], 't', ARGV[4], 'q', window, 'm', ARGV[8], 'e', expires, 'r', ARGV[9])
else
  redis.call('HSET', KEYS[1], 's', ARGV[2], 't', ARGV[4], 'q', window, 'm', ARGV[8], 'e', expires)
end

redis.call('SPUBLISH', KEYS[1], ARGV[3])
return 1

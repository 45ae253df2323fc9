#!lua flags=allow-oom
-- Move entries of a queue, or remove them. Each stays as it is if it has been moved since the caller read it.
-- Allowed without memory, because sessions must be able to leave a full store.
--
-- KEYS  1 a shard of a queue
-- ARGV  for each entry: the session, its uptime as read, its new uptime or empty to remove it
--
-- Returns 1 for each entry that was moved or removed, else 0.

local done = {}
for i = 1, #ARGV, 3 do
  local due = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if not due or tonumber(due) ~= tonumber(ARGV[i + 1]) then
    done[#done + 1] = 0
  else
    if ARGV[i + 2] == '' then
      redis.call('ZREM', KEYS[1], ARGV[i])
    else
      redis.call('ZADD', KEYS[1], ARGV[i + 2], ARGV[i])
    end
    done[#done + 1] = 1
  end
end
return done

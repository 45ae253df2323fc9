-- Send a message to the matcher of a game and read the news for a replica. Take the matcher's lease if it has ended.
--
-- KEYS  1 the matcher   2 messages to it   3 news from it   4.. claims to read
-- ARGV  1 the replica   2 uptime   3 the uptime until which to take the lease   4 its new term, or empty: do not take it
--       5 id of the last news that the replica has, or empty   6 the message, or empty
--
-- Returns {term, 1 if the replica is the matcher or 0, id of the last news, news, claims (empty: none)}.

local hour = 3600000
local state = redis.call('HMGET', KEYS[1], 'term', 'until', 'replica', 'handled')
local term, replica, ends = state[1] or '', state[3], tonumber(state[2]) or 0
-- A lease that ends more than a minute after a new one is damaged.
if ARGV[4] ~= '' and not (ends > tonumber(ARGV[2]) and ends < tonumber(ARGV[3]) + 60000) then
  term, replica = ARGV[4], ARGV[1]
  redis.call('HSET', KEYS[1], 'term', term, 'until', ARGV[3], 'replica', replica)
end
if ARGV[6] ~= '' then
  redis.call('XADD', KEYS[2], 'MINID', string.match(state[4] or '', '^%d+%-%d+$') or '0', '*', 'message', ARGV[6])
  redis.call('SPUBLISH', KEYS[1], 'm')
end
for i = 1, 2 do redis.call('PEXPIRE', KEYS[i], hour) end

local last, news = ARGV[5], {}
if last == '' then
  local newest = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)[1]
  last = newest and newest[1] or '0'
else
  for _, record in ipairs(redis.call('XRANGE', KEYS[3], '(' .. last, '+')) do
    last = record[1]
    for i = 1, #record[2], 2 do
      if record[2][i] == ARGV[1] then news[#news + 1] = record[2][i + 1] end
    end
  end
end

local claims = {}
for i = 4, #KEYS do claims[i - 3] = redis.call('GET', KEYS[i]) or '' end
return {term, replica == ARGV[1] and 1 or 0, last, news, claims}

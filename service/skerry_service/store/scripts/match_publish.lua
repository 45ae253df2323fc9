-- Write all changes of a matcher's round.
--
-- KEYS  1 the matcher   2 news from it   3 agreed matches   4 no-shows   5.. the claims of each ticket of agreed matches
-- ARGV  1 the matcher's term   2 lifetime of a claim (ms)   3 score below which no-shows are removed
--       then three counted lists: of (replica, news), of finished matches, of (score, caller with no-shows);
--       then for each agreed match: the match, a counted list of claims
--
-- Returns a list of {match, ticket}, from 0, where a ticket has another claim, so that the match is not stored; or 0
-- if another replica is the matcher.

if redis.call('HGET', KEYS[1], 'term') ~= ARGV[1] then return 0 end
local hour, at = 3600000, 4

local function counted(size)
  local list, count = {}, tonumber(ARGV[at])
  for i = 1, count * size do list[i] = ARGV[at + i] end
  at = at + count * size + 1
  return list
end

local news, finished, no_shows = counted(2), counted(1), counted(2)
local conflicts, key, number = {}, 4, 0
while at <= #ARGV do
  local match = ARGV[at]
  at = at + 1
  local claims, free = counted(1), true
  for i, claim in ipairs(claims) do
    local existing = redis.call('GET', KEYS[key + i])
    if existing and existing ~= claim then
      conflicts[#conflicts + 1], free = {number, i - 1}, false
    end
  end
  if free then
    for i, claim in ipairs(claims) do redis.call('SET', KEYS[key + i], claim, 'PX', ARGV[2]) end
    redis.call('ZADD', KEYS[3], 0, match)
  end
  key, number = key + #claims, number + 1
end

for _, match in ipairs(finished) do redis.call('ZREM', KEYS[3], match) end
for i = 1, #no_shows, 2 do redis.call('ZADD', KEYS[4], no_shows[i], no_shows[i + 1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', '(' .. ARGV[3])
redis.call('PEXPIRE', KEYS[4], 2 * hour)
if #news > 0 then
  redis.call('XADD', KEYS[2], 'MAXLEN', 256, '*', unpack(news))
  redis.call('PEXPIRE', KEYS[2], hour)
  redis.call('SPUBLISH', KEYS[1], 'r')
end
return conflicts

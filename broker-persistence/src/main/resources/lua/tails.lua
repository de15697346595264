-- Returns the ends of queues. Includes session.lua.
--
-- ARGV: for each session the client id, generation
-- Answer: for each session its head and its tail; 1 and 0 if it is unknown
local ends = {}
local keys = {}
for i = 1, #ARGV, 2 do
  keys[#keys + 1] = sessionKey(ARGV[i])
end
local raw = call('MGET', unpack(keys))
for i = 1, #keys do
  local s = raw[i] and decode(ARGV[2 * i - 1], raw[i])
  if s and s.generation == tonumber(ARGV[2 * i]) then
    ends[#ends + 1] = head(s)
    ends[#ends + 1] = s.tail
  else
    ends[#ends + 1] = 1
    ends[#ends + 1] = 0
  end
end
return ends

-- The highest number that was given in each queue. Needs session.lua.
--
-- ARGV: client ids. Answer: a number for each, 0 where none was given
local keys = {}
for i = 1, #ARGV do
  keys[i] = sessionKey(ARGV[i])
end
local raw = call('MGET', unpack(keys))
local tails = {}
for i = 1, #ARGV do
  tails[i] = raw[i] and decode(ARGV[i], raw[i]).tail or 0
end
return tails

-- The session is over: forgets it with its queue. Needs session.lua.
--
-- ARGV: client id, generation. Answer: 1, or 0 when the generation is not this one
local s = load(ARGV[1])
if not s or s.generation ~= tonumber(ARGV[2]) then
  return { 0 }
end
leave(s)
empty(s.id)
call('UNLINK', sessionKey(s.id))
return { 1 }

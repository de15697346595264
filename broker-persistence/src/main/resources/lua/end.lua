-- Deletes an ended session with its queue. Includes session.lua.
--
-- ARGV: client id, generation
-- Answer: the number of messages in the queue
local s = load(ARGV[1])
if not s or s.generation ~= tonumber(ARGV[2]) then
  return { 0 }
end
empty(s.id)
call('UNLINK', sessionKey(s.id))
return { s.count }

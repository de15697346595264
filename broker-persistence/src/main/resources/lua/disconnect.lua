-- Releases the session of a disconnected client. Includes session.lua.
--
-- ARGV: client id, epoch, sequence up to which the queue was sent
-- Answer: 1, or 0 if the session has another epoch
local s = load(ARGV[1])
if not s or s.epoch ~= tonumber(ARGV[2]) then
  return { 0 }
end
release(s)
s.sentUpTo = tonumber(ARGV[3])
store(s)
return { 1 }

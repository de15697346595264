-- The client has gone: nobody's session from now on. Needs session.lua.
--
-- ARGV: client id, epoch, up to which number its queue was sent to it
-- Answer: 1, or 0 when the epoch is not the session's any more
local s = load(ARGV[1])
if not s or s.epoch ~= tonumber(ARGV[2]) then
  return { 0 }
end
leave(s)
s.sentUpTo = tonumber(ARGV[3])
store(s)
return { 1 }

-- Sessions that nobody has and whose time is over. Needs session.lua.
--
-- ARGV: the time of day in milliseconds, maximum
-- Answer: for each client id, generation, epoch, when it ended
local ids = call('ZRANGEBYSCORE', dueKey(), '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
local due = {}
for i = 1, #ids do
  local s = load(ids[i])
  if s and s.owner == '' and s.expiresAt ~= NEVER then
    due[#due + 1] = { s.id, s.generation, s.epoch, s.expiresAt }
  else
    call('ZREM', dueKey(), ids[i])
  end
end
return due

-- A client has come: its session is this node's. Needs session.lua.
--
-- ARGV: client id, generation or 0 for a new session, the epoch is above this, owner
-- Answer: generation, epoch, previous owner, its epoch, head, tail, sentUpTo, packet ids of inbound messages that wait for PUBREL
local NEW = 0

local id, generation, owner = ARGV[1], tonumber(ARGV[2]), ARGV[4]
local time = call('TIME')
local epoch = math.max(time[1] * 1000000 + time[2], ARGV[3] + 1, generation + 1)
local s = load(id)
local previousOwner, previousEpoch = '', 0
if s then
  epoch = math.max(epoch, s.epoch + 1, s.generation + 1)
  if s.owner ~= '' then
    previousOwner, previousEpoch = s.owner, s.epoch
  end
end
if s and generation ~= NEW and s.generation >= generation then
  leave(s)
else
  s = begin(id, generation == NEW and epoch or generation, s)
  if generation == NEW then
    s.sentUpTo = 0
  end
end
local sentUpTo = s.sentUpTo
-- From here on only the owner knows.
s.sentUpTo = UNKNOWN
s.epoch = epoch
s.owner = owner
call('SADD', nodeKey(owner), id)
store(s)
return { s.generation, epoch, previousOwner, previousEpoch, head(s), s.tail, sentUpTo, call('SMEMBERS', inboundKey(id)) }

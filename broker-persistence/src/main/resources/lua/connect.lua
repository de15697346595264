-- A client has come: its session is this node's. Needs session.lua, bucket.lua.
--
-- ARGV[3] and on: client id, generation or 0 for a new session, epoch of its last connection, owner
-- Answer: generation, epoch, previous owner, its epoch, head, tail, sentUpTo, packet ids of inbound messages that wait for PUBREL,
-- numbers of the queue that PUBREC has come for, in the order of their marks in the log, the bucket's incarnation, its applied offset
local NEW = 0

local id, generation, last, owner = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]
local time = call('TIME')
local epoch = math.max(time[1] * 1000000 + time[2], last + 1, generation + 1)
local s = load(id)
local previousOwner, previousEpoch = '', 0
local told = true
if s then
  epoch = math.max(epoch, s.epoch + 1, s.generation + 1)
  if s.owner ~= '' then
    previousOwner, previousEpoch = s.owner, s.epoch
    -- It had no time to say how far it sent.
    told = false
  end
end
if s and generation ~= NEW and s.generation >= generation then
  leave(s)
else
  s = begin(id, generation == NEW and epoch or generation, s)
  if generation == NEW then
    s.sentUpTo = 0
    s.numbers = COMPLETE
    told = true
  end
end
if generation ~= NEW and s.epoch < last then
  -- Its last connection is forgotten here, and with it how far the queue was sent.
  s.sentUpTo = UNKNOWN
end
local sentUpTo = told and s.sentUpTo or UNKNOWN
s.epoch = epoch
s.owner = owner
call('SADD', nodeKey(owner), id)
store(s)

local function received()
  local marks = call('ZRANGE', outboundKey(id), 0, -1, 'WITHSCORES')
  local byOffset = {}
  for i = 1, #marks, 2 do
    byOffset[#byOffset + 1] = { tonumber(marks[i]), tonumber(marks[i + 1]) }
  end
  table.sort(byOffset, function(one, other) return one[1] < other[1] end)
  local numbers, seen = {}, {}
  for i = 1, #byOffset do
    local number = byOffset[i][2]
    if not seen[number] then
      seen[number] = true
      numbers[#numbers + 1] = number
    end
  end
  return numbers
end

return {
  s.generation, epoch, previousOwner, previousEpoch, head(s), s.tail, sentUpTo, call('SMEMBERS', inboundKey(id)),
  s.marked == 1 and received() or {}, bucket.incarnation, bucket.applied
}

-- Registers the session of a connected client with this node. Includes session.lua, bucket.lua.
--
-- ARGV[3] to ARGV[6]: client id, generation or 0 for a new session, epoch of the last connection, owner
-- Answer: generation, epoch, previous owner, its epoch, head, tail, sentUpTo, packet ids of inbound messages without PUBREL, sequences of
-- the queue with PUBREC in the order of their markers in the log, the bucket's incarnation, its applied offset
local NEW = 0

local id, generation, lastEpoch, owner = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]
local time = call('TIME')
local epoch = math.max(time[1] * 1000000 + time[2], lastEpoch + 1, generation + 1)
local s = load(id)
local previousOwner, previousEpoch = '', 0
local isReported = true
if s then
  epoch = math.max(epoch, s.epoch + 1, s.generation + 1)
  if s.owner ~= '' then
    previousOwner, previousEpoch = s.owner, s.epoch
    -- The previous owner did not report up to which sequence it has sent the queue.
    isReported = false
  end
end
if s and generation ~= NEW and s.generation >= generation then
  release(s)
else
  s = begin(id, generation == NEW and epoch or generation, s)
  if generation == NEW then
    s.sentUpTo = 0
    s.numbers = COMPLETE
    isReported = true
  end
end
if generation ~= NEW and s.epoch < lastEpoch then
  -- Redis lost the last connection, and with it the sequence up to which the queue was sent.
  s.sentUpTo = UNKNOWN
end
local sentUpTo = isReported and s.sentUpTo or UNKNOWN
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
  local sequences, seen = {}, {}
  for i = 1, #byOffset do
    local sequence = byOffset[i][2]
    if not seen[sequence] then
      seen[sequence] = true
      sequences[#sequences + 1] = sequence
    end
  end
  return sequences
end

return {
  s.generation, epoch, previousOwner, previousEpoch, head(s), s.tail, sentUpTo, call('SMEMBERS', inboundKey(id)),
  s.marked == 1 and received() or {}, bucket.incarnation, bucket.applied
}

-- Registers the session of a connected client with this node. Includes session.lua, bucket.lua.
--
-- The record of the session with this epoch is durable, so a call with a lower epoch than the registered one is late and changes nothing.
-- ARGV[3] to ARGV[7]: client id, generation, epoch of the previous connection, epoch, owner. A session that begins has its epoch as
-- generation.
-- Answer: generation, epoch, previous owner, its epoch, head, tail, sentUpTo, packet ids and names of inbound messages without PUBREL,
-- sequences of the queue with PUBREC in the order of their markers in the log, the bucket's view id, its applied offset
local id, generation, lastEpoch = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local epoch, owner = tonumber(ARGV[6]), ARGV[7]
local isNew = generation == epoch
local s = load(id)
if s and (s.epoch > epoch or s.generation > epoch) then
  return {
    s.generation, math.max(s.epoch, s.generation), s.owner, s.epoch, head(s), s.tail, UNKNOWN, {}, {}, bucket.viewId,
    bucket.applied
  }
end
local previousOwner, previousEpoch = '', 0
local isReported = true
if s then
  if s.owner ~= '' then
    previousOwner, previousEpoch = s.owner, s.epoch
    -- The previous owner did not report up to which sequence it has sent the queue.
    isReported = false
  end
end
if s and s.generation == generation then
  release(s)
else
  s = begin(id, generation)
  if isNew then
    s.sentUpTo = 0
    s.numbers = COMPLETE
    isReported = true
  end
end
if not isNew and s.epoch < lastEpoch then
  -- Redis lost the last connection, and with it how far the queue was sent.
  s.sentUpTo = UNKNOWN
end
local sentUpTo = isReported and s.sentUpTo or UNKNOWN
s.epoch = epoch
s.owner = owner
store(s)

local function received()
  local markers = call('ZRANGE', outboundKey(id), 0, -1, 'WITHSCORES')
  local byOffset = {}
  for i = 1, #markers, 2 do
    byOffset[#byOffset + 1] = { tonumber(markers[i]), tonumber(markers[i + 1]) }
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
  s.generation, epoch, previousOwner, previousEpoch, head(s), s.tail, sentUpTo, call('HGETALL', inboundKey(id)),
  s.marked == 1 and received() or {}, bucket.viewId, bucket.applied
}

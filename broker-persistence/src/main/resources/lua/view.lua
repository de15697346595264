-- Returns the size of a queue and some of its entries, for an administrator. Changes nothing. Includes session.lua.
--
-- ARGV: client id, generation, lowest requested sequence, maximum entries, bytes after which the entries end
-- Answer: 0 if the session is unknown, or 1, head, tail, number of entries, their bytes, entries, the sequences of entries with PUBREC
local CHUNK = 16

local raw = call('GET', sessionKey(ARGV[1]))
local s = raw and decode(ARGV[1], raw)
if not s or s.generation ~= tonumber(ARGV[2]) then
  return { 0 }
end
local from, maximum, maximumBytes = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local key = queueKey(s.id)
local entries, bytes = {}, 0
local index = before(s, from)
local reading = maximum > 0
while reading do
  local chunk = call('LRANGE', key, index, index + CHUNK - 1)
  reading = #chunk == CHUNK
  for i = 1, #chunk do
    -- Tombstones and entries above the tail were left by a script that failed.
    if #entries == maximum or bytes >= maximumBytes or sequenceOf(chunk[i]) > s.tail then
      reading = false
      break
    elseif chunk[i] ~= TOMBSTONE then
      entries[#entries + 1] = chunk[i]
      bytes = bytes + #chunk[i]
    end
  end
  index = index + CHUNK
end
local received = {}
if s.marked == 1 and #entries > 0 then
  local markers = call('ZRANGEBYSCORE', outboundKey(s.id), sequenceOf(entries[1]), sequenceOf(entries[#entries]),
      'WITHSCORES')
  for i = 2, #markers, 2 do
    received[#received + 1] = tonumber(markers[i])
  end
end
return { 1, head(s), s.tail, s.count, s.bytes, entries, received }

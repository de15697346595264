-- Reads a page of a queue for the session's owner. Includes session.lua.
--
-- Entries below the lowest requested sequence, and the entries of the page, are never evicted afterwards.
--
-- ARGV: client id, generation, epoch, lowest requested sequence, maximum entries (0 only reports that nothing was read above it), bytes
-- after which the page ends
-- Answer: 0 if the caller no longer owns the session, 2 if the caller's session is newer than the one stored here, or 1, tail, entries,
-- the sequences of entries with PUBREC
local CHUNK = 16

local s = load(ARGV[1])
local generation, epoch = tonumber(ARGV[2]), tonumber(ARGV[3])
if not s or s.generation < generation or (s.generation == generation and s.epoch < epoch) then
  return { 2 }
elseif s.generation ~= generation or s.epoch ~= epoch or s.owner == '' then
  return { 0 }
end
local maximum, maximumBytes = tonumber(ARGV[5]), tonumber(ARGV[6])
local key = queueKey(s.id)
local from = tonumber(ARGV[4])
local entries, bytes = {}, 0
local full = maximum == 0

-- Adds the entries of a chunk that fit. Returns whether to read the next chunk.
local function add(chunk)
  for i = 1, #chunk do
    -- Tombstones and entries above the tail were left by a script that failed.
    if sequenceOf(chunk[i]) > s.tail then
      return false
    elseif chunk[i] ~= TOMBSTONE then
      entries[#entries + 1] = chunk[i]
      bytes = bytes + #chunk[i]
      if #entries == maximum or bytes >= maximumBytes then
        full = true
        return false
      end
    end
  end
  return #chunk == CHUNK
end

local index = before(s, from)
-- Reads chunks, because entries may be large and those beyond the limit should not be copied.
while not full and add(call('LRANGE', key, index, index + CHUNK - 1)) do
  index = index + CHUNK
end
local upTo = #entries > 0 and sequenceOf(entries[#entries]) or from - 1
if not full or upTo >= s.tail then
  upTo = IN_SYNC - s.tail
end
if s.sentUpTo ~= upTo then
  s.sentUpTo = upTo
  store(s)
end
local received = {}
if s.marked == 1 and #entries > 0 then
  local markers = call('ZRANGEBYSCORE', outboundKey(s.id), sequenceOf(entries[1]), sequenceOf(entries[#entries]),
      'WITHSCORES')
  for i = 2, #markers, 2 do
    received[#received + 1] = tonumber(markers[i])
  end
end
return { 1, s.tail, entries, received }

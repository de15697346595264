-- Reads a queue on behalf of its session's owner. Needs session.lua.
--
-- What is below the lowest number wanted, and what is read, never gives way from then on.
--
-- ARGV: client id, generation, epoch, lowest number wanted, maximum of entries (0 only says that nothing else was read), bytes after
-- which no further one is read
-- Answer: 0 when the asker is not the owner any more, 2 when it is later than what is known here, or 1, tail, entries, those of their numbers that PUBREC has come for
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

-- Takes over what fits; says whether more is wanted.
local function take(chunk)
  for i = 1, #chunk do
    -- What is GONE or lies above the tail is left from a script that failed half-way.
    if sequenceOf(chunk[i]) > s.tail then
      return false
    elseif chunk[i] ~= GONE then
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
-- In chunks: entries may be large, and those above the bound should not be copied.
while not full and take(call('LRANGE', key, index, index + CHUNK - 1)) do
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
  local marks = call('ZRANGEBYSCORE', outboundKey(s.id), sequenceOf(entries[1]), sequenceOf(entries[#entries]),
      'WITHSCORES')
  for i = 2, #marks, 2 do
    received[#received + 1] = tonumber(marks[i])
  end
end
return { 1, s.tail, entries, received }

-- Constants and functions for sessions. LuaScript includes it in every script.
--
-- KEYS[1]: the bucket's key, "{tag}bucket", which routes the call. All other keys have the same tag and so the same slot.
-- Lua's numbers are doubles, exact up to 2^53; sequences, offsets, microseconds and milliseconds stay below.
local tag = string.sub(KEYS[1], 1, -7)
local call = redis.call
local bytesToValues = struct.unpack
local valuesToBytes = struct.pack

-- version, marked, tail, head, count, bytes, offset of the last command, then the identity
local COUNTERS = '>BBI8I8I4I8i8'
local COUNTERS_BYTES = 38
-- generation, epoch, sentUpTo, numbers, then the owner
local IDENTITY = '>I8I8i8i8'
local IDENTITY_BYTES = 32
local SESSION_VERSION = 2
-- `sentUpTo` determines which entries the client may have received, so that they are never evicted. While the client is away or its owner
-- lags, these are the entries up to this sequence. A value below UNKNOWN means that the owner has read all entries up to IN_SYNC - sentUpTo
-- and receives later ones by push. UNKNOWN: no owner has reported up to which sequence it has sent the queue.
local UNKNOWN = -1
local IN_SYNC = -2
-- The sequences are those of the log: the session began here, or the log contained all its messages when the queue was rebuilt.
local COMPLETE = 1
-- The sequences may have started again, because the log no longer contained the first messages; logged acknowledgements refer to other
-- sequences.
local UNSURE = -1
-- Replaces an entry that is about to be removed from the middle of a queue; no entry is as short.
local TOMBSTONE = 'gone'

local function sessionKey(id) return tag .. 's:' .. id end
local function queueKey(id) return tag .. 'q:' .. id end
-- The offsets of the markers of received PUBRECs, with the sequence in the queue as score.
local function outboundKey(id) return tag .. 'o:' .. id end
-- The names of messages without PUBREL, by Packet Identifier.
local function inboundKey(id) return tag .. 'i:' .. id end

-- Decodes the counters. Most commands change only these, so the rest stays encoded until identify().
local function decode(id, raw)
  local version, marked, tail, head, count, bytes, last, generation, epoch =
      bytesToValues('>BBI8I8I4I8i8I8I8', raw)
  if version ~= SESSION_VERSION then
    error('session ' .. id .. ' has version ' .. version .. ', and this broker knows version ' .. SESSION_VERSION)
  end
  return {
    id = id, marked = marked, tail = tail, head = head, count = count, bytes = bytes, last = last,
    generation = generation, epoch = epoch, owned = #raw > COUNTERS_BYTES + IDENTITY_BYTES,
    rest = string.sub(raw, COUNTERS_BYTES + 1)
  }
end

-- Decodes sentUpTo, numbers and owner.
local function identify(s)
  if s.rest then
    local _, at
    _, _, s.sentUpTo, s.numbers, at = bytesToValues(IDENTITY, s.rest)
    s.owner = string.sub(s.rest, at)
    s.rest = nil
  end
  return s
end

local function encode(s)
  local rest = s.rest or valuesToBytes(IDENTITY, s.generation, s.epoch, s.sentUpTo, s.numbers) .. s.owner
  return valuesToBytes(COUNTERS, SESSION_VERSION, s.marked, s.tail, s.head, s.count, s.bytes, s.last) .. rest
end

local function load(id)
  local raw = call('GET', sessionKey(id))
  return raw and identify(decode(id, raw))
end

local function store(s)
  call('SET', sessionKey(s.id), encode(s))
end

-- Removes the owner of a session.
local function release(s)
  identify(s)
  s.owned = false
  s.owner = ''
end

-- Deletes the queue and the markers of a client, but not the session itself.
local function empty(id)
  call('UNLINK', queueKey(id), outboundKey(id), inboundKey(id))
end

-- Creates a session without owner and with an empty queue, which replaces an earlier session.
local function begin(id, generation)
  empty(id)
  return {
    id = id, tail = 0, head = 1, count = 0, bytes = 0, last = -1, marked = 0,
    generation = generation, epoch = 0, owned = false, sentUpTo = UNKNOWN, numbers = UNSURE, owner = ''
  }
end

-- Returns the sequence of an entry, or UNKNOWN for a tombstone.
local function sequenceOf(entry)
  return #entry > #TOMBSTONE and bytesToValues('>I8', entry) or UNKNOWN
end

local function head(s)
  return s.count == 0 and s.tail + 1 or s.head
end

-- Returns whether every sequence from head to tail has an entry, so that the index follows from the sequence.
local function isWhole(s)
  return s.tail - s.head + 1 == s.count
end

-- Counts the entries with a lower sequence by binary search.
local function search(key, length, sequence)
  local low, high, found = 0, length, length
  while low < high do
    local middle = math.floor((low + high) / 2)
    local at = middle
    local entry = call('LINDEX', key, at)
    -- A tombstone has no sequence, so look at the next entry.
    while entry == TOMBSTONE and at + 1 < high do
      at = at + 1
      entry = call('LINDEX', key, at)
    end
    if entry and entry ~= TOMBSTONE and sequenceOf(entry) < sequence then
      low = at + 1
    else
      high = middle
      found = entry == TOMBSTONE and found or at
    end
  end
  return found
end

-- Counts the entries with a lower sequence.
local function before(s, sequence)
  if s.count == 0 or sequence <= s.head then
    return 0
  end
  if sequence > s.tail then
    return s.count
  end
  local key = queueKey(s.id)
  if isWhole(s) then
    local entry = call('LINDEX', key, sequence - s.head)
    if entry and sequenceOf(entry) == sequence then
      return sequence - s.head
    end
  end
  return search(key, call('LLEN', key), sequence)
end

local function contains(s, sequence)
  if s.count == 0 or sequence < s.head or sequence > s.tail then
    return false
  end
  if isWhole(s) then
    return true
  end
  local entry = call('LINDEX', queueKey(s.id), before(s, sequence))
  return entry and sequenceOf(entry) == sequence
end

-- Repairs the counters of a queue after a script that failed. Entries above the tail were never assigned and are removed.
local function recount(s)
  local key = queueKey(s.id)
  call('LREM', key, 0, TOMBSTONE)
  local entries = call('LRANGE', key, 0, -1)
  local count = #entries
  while count > 0 and sequenceOf(entries[count]) > s.tail do
    call('RPOP', key)
    count = count - 1
  end
  s.count = count
  s.bytes = 0
  for i = 1, count do
    s.bytes = s.bytes + #entries[i]
  end
  s.head = count > 0 and sequenceOf(entries[1]) or s.tail + 1
end

-- Updates the head of a queue that is not empty after its oldest entries were removed.
local function moveHead(s)
  s.head = sequenceOf(call('LINDEX', queueKey(s.id), 0))
  if s.head == UNKNOWN then
    recount(s)
  end
end

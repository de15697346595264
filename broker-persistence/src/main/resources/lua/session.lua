-- What all scripts know of a session. Put before each of them by LuaScript.
--
-- KEYS[1] is the bucket's key, "{tag}bucket", which routes the call; every other key is made from its tag and is in the same slot.
-- Numbers of Lua are doubles: exact up to 2^53, which sequences, offsets, microseconds and milliseconds stay below.
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
local SESSION_VERSION = 1
-- `sentUpTo` says which entries its client may have, or have had, so that they never give way: while nobody is connected, and while
-- the owner is behind, those up to this number; below UNKNOWN, the owner has read all up to IN_SYNC - sentUpTo and takes what is
-- pushed from then on.
--
-- Nobody said how far its queue was sent.
local UNKNOWN = -1
local IN_SYNC = -2
-- Its numbers are those that the log gave: it began here, or the log had every message of it when it was filled again.
local COMPLETE = 1
-- Its numbers may have begun anew, because the log had lost its first messages: what is logged of its acknowledgements means others.
local UNSURE = -1
-- Stands in a queue for the entry that is about to be removed from its middle; no entry is so short.
local GONE = 'gone'

local function sessionKey(id) return tag .. 's:' .. id end
local function queueKey(id) return tag .. 'q:' .. id end
-- PUBREC has come: the offset of the mark, with the number of the queue as its score.
local function outboundKey(id) return tag .. 'o:' .. id end
local function inboundKey(id) return tag .. 'i:' .. id end
local function nodeKey(owner) return tag .. 'n:' .. owner end

-- Most commands change only the counters: the rest stays as it is stored until somebody asks for it.
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

-- Makes sentUpTo, numbers and owner known.
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

-- Nobody's.
local function leave(s)
  identify(s)
  s.owned = false
  if s.owner ~= '' then
    call('SREM', nodeKey(s.owner), s.id)
    s.owner = ''
  end
end

-- Removes what a session of this client had, but not the session itself.
local function empty(id)
  call('UNLINK', queueKey(id), outboundKey(id), inboundKey(id))
end

-- A session that nobody is connected to, with nothing in its queue: in place of an earlier one, if there was any.
local function begin(id, generation, earlier)
  if earlier then
    leave(earlier)
  end
  empty(id)
  return {
    id = id, tail = 0, head = 1, count = 0, bytes = 0, last = -1, marked = 0,
    generation = generation, epoch = 0, owned = false, sentUpTo = UNKNOWN, numbers = UNSURE, owner = ''
  }
end

-- UNKNOWN of what is GONE.
local function sequenceOf(entry)
  return #entry > #GONE and bytesToValues('>I8', entry) or UNKNOWN
end

local function head(s)
  return s.count == 0 and s.tail + 1 or s.head
end

-- Whether each number from head to tail has its entry: then a number says its place.
local function isWhole(s)
  return s.tail - s.head + 1 == s.count
end

-- How many entries of a queue are before the first that has this or a higher number: halves what is left until it is found.
local function search(key, length, sequence)
  local low, high, found = 0, length, length
  while low < high do
    local middle = math.floor((low + high) / 2)
    local at = middle
    local entry = call('LINDEX', key, at)
    -- What is GONE says nothing; the next one does.
    while entry == GONE and at + 1 < high do
      at = at + 1
      entry = call('LINDEX', key, at)
    end
    if entry and entry ~= GONE and sequenceOf(entry) < sequence then
      low = at + 1
    else
      high = middle
      found = entry == GONE and found or at
    end
  end
  return found
end

-- How many entries have a lower number.
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

-- After a script that failed half-way: makes the queue and what is said of it agree. What lies above the tail was never given.
local function recount(s)
  local key = queueKey(s.id)
  call('LREM', key, 0, GONE)
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

-- After the oldest entries have left a queue that is not empty: its first number.
local function moveHead(s)
  s.head = sequenceOf(call('LINDEX', queueKey(s.id), 0))
  if s.head == UNKNOWN then
    recount(s)
  end
end

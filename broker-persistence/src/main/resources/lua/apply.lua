-- Applies commands of a bucket's log in order. Includes session.lua, bucket.lua, removal.lua.
--
-- ARGV[3]: the commands, see ApplyCall; then the ids of all clients in them, each once; then their messages
-- Answer: 0 for a gap or 1, view id, applied offset, number of evicted entries, the results (17 bytes each), number of cleared entries
--
-- One MGET reads all sessions, and one MSET at the end writes them with the bucket, so that all commands take effect or none. A recipient
-- costs one more call, its RPUSH. Queues are written before the MSET: a script that failed in between leaves entries above the tails.
-- `started` is the highest offset of a started script, up to which queues may contain such entries.
local RESULT = '>BI8I8'
local QUEUED, EXPIRED, QUEUE_FULL, SESSION_ENDED, APPLIED_BEFORE, QUEUED_EVICTING = 0, 1, 2, 3, 4, 5
local CHUNK = 64
-- Of a message name.
local NAME_BYTES = 22
local ENQUEUE, OUTBOUND_RECEIVED, INBOUND_RECEIVED, INBOUND_RELEASED, ACKNOWLEDGED, CLEARED = 1, 2, 3, 4, 6, 7

local program = ARGV[3]
local preceding, last, completeFrom, maximumMessages, maximumBytes, dropOldest, maximumInFlight, clients, commands, at =
    bytesToValues('>i8i8i8I4I8BI4I2I2', program)
if preceding > bucket.applied then
  return { 0, bucket.viewId, bucket.applied }
end

-- For each client, the sequence up to which entries were pushed to its reader; negative if unknown.
local pushed = at
at = at + 8 * clients
local FIRST_CLIENT = 4
local sessions = {}
local keys = {}
do
  for i = 1, clients do
    keys[i] = sessionKey(ARGV[FIRST_CLIENT + i - 1])
  end
  local raw = clients > 0 and call('MGET', unpack(keys))
  for i = 1, clients do
    sessions[i] = raw[i] and decode(ARGV[FIRST_CLIENT + i - 1], raw[i])
  end
end

local unfinished = bucket.started
if last > bucket.started then
  bucket.started = last
  call('SET', KEYS[1], encodeBucket())
end

local touched = {}
local dropped = 0
local cleared = 0

-- Returns the session that a command addresses, or nil if a later session has replaced it.
local function addressed(client, generation)
  local s = sessions[client]
  if s and s.generation > generation then
    return nil
  end
  if not s or s.generation < generation then
    s = begin(ARGV[FIRST_CLIENT + client - 1], generation)
    sessions[client] = s
    touched[client] = true
  end
  return s
end

-- Starts collecting the entries of a queue. They are written at the end of the call, or before the entry of a marker is looked up, with one
-- RPUSH and one LTRIM for all of a client's copies. A copy that a later copy of the same call evicts is never written. Meanwhile `count`
-- and `bytes` describe the future queue: the `listed` entries without the `evicted` ones, then the `pending` entries from `firstPending`
-- on.
local function collect(s)
  s.listed = s.count
  s.listedTail = s.tail
  s.evicted = 0
  s.pending = {}
  s.firstPending = 1
  s.sizes = {}
  s.protectedUpTo = nil
end

-- Determines the entries that the client may have received and that must not be evicted: those up to a sequence, and a minimum number of
-- the oldest.
local function protect(s, client)
  local sentUpTo = identify(s).sentUpTo
  s.protectedAtLeast = 0
  s.protectedUpTo = sentUpTo
  if sentUpTo <= UNKNOWN then
    local pushedUpTo = bytesToValues('>i8', program, pushed + 8 * (client - 1))
    s.protectedUpTo = math.max(IN_SYNC - sentUpTo, pushedUpTo)
    if pushedUpTo < 0 then
      s.protectedAtLeast = maximumInFlight
    end
  end
  local count, tail = s.count, s.tail
  s.count, s.tail = s.listed, s.listedTail
  s.protected = before(s, s.protectedUpTo + 1)
  s.count, s.tail = count, tail
  for i = s.firstPending, #s.pending do
    if sequenceOf(s.pending[i]) <= s.protectedUpTo then
      s.protected = s.protected + 1
    end
  end
end

-- Returns the size of the listed entry at an index from 0. Reads chunks, because evictions come in series.
local function listedSize(s, index)
  if not s.sizes[index] then
    local chunk = call('LRANGE', queueKey(s.id), index, index + math.min(CHUNK, commands) - 1)
    for i = 1, #chunk do
      s.sizes[index + i - 1] = #chunk[i]
    end
  end
  return s.sizes[index]
end

-- Evicts the oldest evictable entries to make room for one more. Returns false, and evicts none, if that is not possible.
local function makeRoom(s, client, size)
  if dropOldest == 0 or size > maximumBytes then
    return false
  end
  if not s.protectedUpTo then
    protect(s, client)
  end
  local first = math.max(s.protected, s.protectedAtLeast)
  local staying = s.listed - s.evicted
  local evictable = math.max(staying - first, 0)
  local nth = s.firstPending + math.max(first - staying, 0)
  local leaving, freed = 0, 0
  while s.count - leaving + 1 > maximumMessages or s.bytes - freed + size > maximumBytes do
    local victim
    if leaving < evictable then
      victim = listedSize(s, first + s.evicted + leaving)
    else
      local entry = s.pending[nth + leaving - evictable]
      victim = entry and #entry
    end
    if not victim then
      return false
    end
    leaving = leaving + 1
    freed = freed + victim
  end
  local fromList = math.min(leaving, evictable)
  if fromList > 0 then
    s.evictedFrom = first
    s.evicted = s.evicted + fromList
  end
  for _ = 1, leaving - fromList do
    if nth == s.firstPending then
      s.pending[nth] = false
      nth = nth + 1
      s.firstPending = nth
    else
      table.remove(s.pending, nth)
    end
  end
  s.count = s.count - leaving
  s.bytes = s.bytes - freed
  dropped = dropped + leaving
  return true
end

-- Writes the collected entries of a queue.
local function flush(s)
  if not s.pending then
    return
  end
  local key = queueKey(s.id)
  local last = #s.pending
  for i = s.firstPending, last, CHUNK do
    call('RPUSH', key, unpack(s.pending, i, math.min(i + CHUNK - 1, last)))
  end
  if s.evicted > 0 then
    if s.evictedFrom == 0 then
      call('LTRIM', key, s.evicted, -1)
    else
      for index = s.evictedFrom, s.evictedFrom + s.evicted - 1 do
        call('LSET', key, index, TOMBSTONE)
      end
      call('LREM', key, s.evicted, TOMBSTONE)
    end
  end
  if s.listed == s.evicted then
    if s.firstPending <= last then
      s.head = sequenceOf(s.pending[s.firstPending])
    end
  elseif s.evicted > 0 and s.evictedFrom == 0 then
    moveHead(s)
  end
  s.pending = nil
end

local function enqueue(s, client, start, message)
  local sequence = s.tail + 1
  local outcome = QUEUED
  if sequence == 1 and s.generation >= completeFrom then
    identify(s).numbers = COMPLETE
  end
  if not message then
    outcome = EXPIRED
  else
    if not s.pending then
      collect(s)
    end
    local entry = valuesToBytes('>I8', sequence) .. start .. message
    local size = #entry
    local full = s.count + 1 > maximumMessages or s.bytes + size > maximumBytes
    if full and not makeRoom(s, client, size) then
      outcome = QUEUE_FULL
    else
      outcome = full and QUEUED_EVICTING or QUEUED
      s.pending[#s.pending + 1] = entry
      s.count = s.count + 1
      s.bytes = s.bytes + size
      if s.protectedUpTo and sequence <= s.protectedUpTo then
        s.protected = s.protected + 1
      end
    end
  end
  s.tail = sequence
  return outcome
end

-- Returns the session that a marker addresses, or nil if the marker was applied before.
local function sessionOfMarker(client, generation, offset)
  local s = offset > bucket.applied and addressed(client, generation)
  if not s or offset <= s.last then
    return nil
  end
  s.last = offset
  touched[client] = true
  return s
end

local results = {}
for _ = 1, commands do
  local kind, offset
  kind, offset, at = bytesToValues('>Bi8', program, at)
  if kind == ENQUEUE then
    local index, recipients
    index, recipients, at = bytesToValues('>I2I2', program, at)
    -- 0: the message has expired or was rejected before; only its sequences are assigned.
    local message = index > 0 and ARGV[FIRST_CLIENT + clients + index - 1]
    for _ = 1, recipients do
      local client, generation, start
      client, generation, start, at = bytesToValues('>I2I8I2c0', program, at)
      local s
      if offset > bucket.applied then
        s = addressed(client, generation)
      else
        s = sessions[client]
        s = s and s.generation == generation and s
      end
      if not s then
        results[#results + 1] = valuesToBytes(RESULT, SESSION_ENDED, 0, 0)
      else
        local outcome = APPLIED_BEFORE
        if offset > bucket.applied and offset > s.last then
          if offset <= unfinished and not s.recounted then
            -- A command that only assigns sequences must not fail on a damaged queue.
            s.recounted = message and (recount(s) or true) or pcall(recount, s)
          end
          outcome = enqueue(s, client, start, message)
          s.last = offset
          touched[client] = true
        end
        results[#results + 1] = valuesToBytes(RESULT, outcome, s.tail, s.owned and s.epoch or 0)
      end
    end
  elseif kind == ACKNOWLEDGED then
    local count
    count, at = bytesToValues('>I2', program, at)
    for _ = 1, count do
      local client, generation, upTo, ranges
      client, generation, upTo, ranges, at = bytesToValues('>I2I8I8I2', program, at)
      local s = offset > bucket.applied and sessions[client]
      local known = s and s.generation == generation and identify(s).numbers == COMPLETE
      if known then
        flush(s)
        if offset <= unfinished and not s.recounted then
          recount(s)
          s.recounted = true
        end
        if acknowledgeUpTo(s, upTo) then
          touched[client] = true
        end
      end
      for _ = 1, ranges do
        local first, stop
        first, stop, at = bytesToValues('>I8I8', program, at)
        if known and acknowledgeRange(s, first, stop) then
          touched[client] = true
        end
      end
    end
  else
    local client, generation, number
    client, generation, number, at = bytesToValues('>I2I8I8', program, at)
    local name = at
    at = at + (kind == INBOUND_RECEIVED and NAME_BYTES or 0)
    local s = sessionOfMarker(client, generation, offset)
    if s and kind == OUTBOUND_RECEIVED then
      flush(s)
      -- An entry that was acknowledged before its marker is applied needs no marker.
      if contains(s, number) then
        call('ZADD', outboundKey(s.id), number, offset)
        s.marked = 1
      end
    elseif s and kind == INBOUND_RECEIVED then
      call('HSET', inboundKey(s.id), number, string.sub(program, name, name + NAME_BYTES - 1))
    elseif s and kind == INBOUND_RELEASED then
      call('HDEL', inboundKey(s.id), number)
    elseif s and kind == CLEARED then
      flush(s)
      if offset <= unfinished and not s.recounted then
        recount(s)
        s.recounted = true
      end
      cleared = cleared + s.count
      acknowledgeUpTo(s, s.tail)
    end
  end
end

for client = 1, clients do
  if touched[client] then
    flush(sessions[client])
  end
end
if last > bucket.applied then
  bucket.applied = last
  local changes = { KEYS[1], encodeBucket() }
  for client in pairs(touched) do
    changes[#changes + 1] = keys[client]
    changes[#changes + 1] = encode(sessions[client])
  end
  call('MSET', unpack(changes))
end
return { 1, bucket.viewId, bucket.applied, dropped, table.concat(results), cleared }

-- Applies commands of a bucket's log in their order. Needs session.lua, bucket.lua.
--
-- ARGV[3] the commands, see ApplyCall; then the ids of all clients they name, each once; then the messages they bring
-- Answer: 0 for a gap or 1, incarnation, applied offset, how many entries gave way, the placements (17 bytes each)
--
-- All sessions are read by one MGET and written, with the bucket, by one MSET at the end: so either all commands count or none,
-- and a recipient costs one call, its RPUSH. Queues are written before. A script that failed half-way has left entries above
-- the tails; `begun` says up to where to look for them.
local PLACEMENT = '>BI8I8'
local QUEUED, EXPIRED, QUEUE_FULL, SESSION_ENDED, APPLIED_BEFORE = 0, 1, 2, 3, 4
local ENQUEUE, OUTBOUND_RECEIVED, INBOUND_RECEIVED, INBOUND_RELEASED = 1, 2, 3, 4

local program = ARGV[3]
local preceding, last, maximumMessages, maximumBytes, dropOldest, maximumInFlight, clients, commands, at =
    bytesToValues('>i8i8I4I8BI4I2I2', program)
if preceding > bucket.applied then
  return { 0, bucket.incarnation, bucket.applied }
end

-- For each client, up to which number its reader was pushed entries; negative when nobody knows.
local pushed = at
at = at + 8 * clients
local FIRST_CLIENT = 4
local sessions = {}
local keys = {}
do
  for i = 1, clients do
    keys[i] = sessionKey(ARGV[FIRST_CLIENT + i - 1])
  end
  local raw = call('MGET', unpack(keys))
  for i = 1, clients do
    sessions[i] = raw[i] and decode(ARGV[FIRST_CLIENT + i - 1], raw[i])
  end
end

local unfinished = bucket.begun
if last > bucket.begun then
  bucket.begun = last
  call('SET', KEYS[1], encodeBucket())
end

local touched = {}
local dropped = 0

-- The session that a command is for, or nothing when a later one has taken its place.
local function addressed(client, generation)
  local s = sessions[client]
  if s and s.generation > generation then
    return nil
  end
  if not s or s.generation < generation then
    s = begin(ARGV[FIRST_CLIENT + client - 1], generation, s)
    sessions[client] = s
    touched[client] = true
  end
  return s
end

-- How many of the oldest entries the client may have.
local function inFlight(s, client)
  local sentUpTo = identify(s).sentUpTo
  if sentUpTo > UNKNOWN then
    return before(s, sentUpTo + 1)
  end
  local pushedUpTo = bytesToValues('>i8', program, pushed + 8 * (client - 1))
  local known = before(s, math.max(IN_SYNC - sentUpTo, pushedUpTo) + 1)
  return pushedUpTo < 0 and math.max(known, maximumInFlight) or known
end

-- Makes room for one more entry, if enough may give way; else nothing does.
local function makeRoom(s, client, size)
  if dropOldest == 0 or size > maximumBytes then
    return false
  end
  local key = queueKey(s.id)
  local first = inFlight(s, client)
  local leaving, freed = 0, 0
  while s.count - leaving + 1 > maximumMessages or s.bytes - freed + size > maximumBytes do
    local entry = call('LINDEX', key, first + leaving)
    if not entry then
      return false
    end
    leaving = leaving + 1
    freed = freed + #entry
  end
  if first == 0 then
    call('LPOP', key, leaving)
  else
    for i = 1, leaving do
      call('LSET', key, first + i - 1, GONE)
    end
    call('LREM', key, leaving, GONE)
  end
  s.count = s.count - leaving
  s.bytes = s.bytes - freed
  if first == 0 and s.count > 0 then
    moveHead(s)
  end
  dropped = dropped + leaving
  return true
end

local function enqueue(s, client, start, message)
  local sequence = s.tail + 1
  local fate = QUEUED
  if not message then
    fate = EXPIRED
  else
    local entry = valuesToBytes('>I8', sequence) .. start .. message
    local size = #entry
    if s.count + 1 > maximumMessages or s.bytes + size > maximumBytes then
      if not makeRoom(s, client, size) then
        fate = QUEUE_FULL
      end
    end
    if fate == QUEUED then
      call('RPUSH', queueKey(s.id), entry)
      if s.count == 0 then
        s.head = sequence
      end
      s.count = s.count + 1
      s.bytes = s.bytes + size
    end
  end
  s.tail = sequence
  return fate
end

-- The session that a mark is for, unless it stands there already.
local function markable(client, generation, offset)
  local s = offset > bucket.applied and addressed(client, generation)
  if not s or offset <= s.last then
    return nil
  end
  s.last = offset
  touched[client] = true
  return s
end

local placements = {}
for _ = 1, commands do
  local kind, offset
  kind, offset, at = bytesToValues('>Bi8', program, at)
  if kind == ENQUEUE then
    local number, recipients
    number, recipients, at = bytesToValues('>I2I2', program, at)
    -- 0: its lifetime was over.
    local message = number > 0 and ARGV[FIRST_CLIENT + clients + number - 1]
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
        placements[#placements + 1] = valuesToBytes(PLACEMENT, SESSION_ENDED, 0, 0)
      else
        local fate = APPLIED_BEFORE
        if offset > bucket.applied and offset > s.last then
          if offset <= unfinished then
            recount(s)
          end
          fate = enqueue(s, client, start, message)
          s.last = offset
          touched[client] = true
        end
        placements[#placements + 1] = valuesToBytes(PLACEMENT, fate, s.tail, s.owned and s.epoch or 0)
      end
    end
  else
    local client, generation, number
    client, generation, number, at = bytesToValues('>I2I8I8', program, at)
    local s = markable(client, generation, offset)
    if s and kind == OUTBOUND_RECEIVED then
      -- One that was acknowledged before its mark came here is not marked any more.
      if contains(s, number) then
        call('ZADD', outboundKey(s.id), number, offset)
        s.marked = 1
      end
    elseif s and kind == INBOUND_RECEIVED then
      call('SADD', inboundKey(s.id), number)
    elseif s and kind == INBOUND_RELEASED then
      call('SREM', inboundKey(s.id), number)
    end
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
return { 1, bucket.incarnation, bucket.applied, dropped, table.concat(placements) }

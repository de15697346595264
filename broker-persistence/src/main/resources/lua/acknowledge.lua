-- Removes what clients have acknowledged. Needs session.lua.
--
-- ARGV[1] for each: number of the client (u16), generation, up to which number, how many runs above it (u16), for each its first
-- number and one above its last; then the clients' ids, each once
local CHUNK = 16

local clients = #ARGV - 1
local keys = {}
for i = 1, clients do
  keys[i] = sessionKey(ARGV[i + 1])
end
local raw = call('MGET', unpack(keys))
local sessions = {}
local touched = {}

-- The oldest entries of a list, so many or as many as there are.
local function pop(key, count)
  if count == 0 then
    return {}
  elseif count == 1 then
    -- Half the price of a pop with a count.
    return { call('LPOP', key) or nil }
  end
  return call('LPOP', key, count) or {}
end

local function remove(s, upTo)
  local key = queueKey(s.id)
  if upTo >= s.tail then
    -- A client that keeps up: nothing has to be looked at.
    call('DEL', key)
    s.count = 0
    s.bytes = 0
    s.head = s.tail + 1
    return
  end
  local count
  if isWhole(s) then
    count = upTo - s.head + 1
  else
    count = before(s, upTo + 1)
  end
  local removed = pop(key, count)
  if count > 0 and (#removed ~= count or sequenceOf(removed[1]) ~= s.head) then
    -- An earlier script failed half-way: what is said of the queue is not what is in it.
    for i = #removed, 1, -1 do
      call('LPUSH', key, removed[i])
    end
    recount(s)
    count = search(key, s.count, upTo + 1)
    removed = pop(key, count)
  end
  for i = 1, #removed do
    s.bytes = s.bytes - #removed[i]
  end
  local whole = isWhole(s)
  s.count = s.count - #removed
  if s.count == 0 then
    s.head = s.tail + 1
  elseif whole then
    s.head = s.head + #removed
  elseif #removed > 0 then
    moveHead(s)
  end
end

-- Removes the entries of a run behind ones that stay.
local function removeRun(s, first, last)
  local key = queueKey(s.id)
  local from = before(s, first)
  local behind = before(s, last + 1)
  local at = from
  -- In chunks: entries may be large.
  while at < behind do
    local chunk = call('LRANGE', key, at, math.min(at + CHUNK, behind) - 1)
    for i = 1, #chunk do
      local sequence = sequenceOf(chunk[i])
      if sequence >= first and sequence <= last then
        call('LSET', key, at + i - 1, GONE)
      end
      s.bytes = s.bytes - #chunk[i]
    end
    at = at + CHUNK
  end
  if behind <= from then
    return
  end
  if call('LREM', key, behind - from, GONE) ~= behind - from then
    -- An earlier script failed half-way: what is said of the queue is not what is in it.
    recount(s)
    return
  end
  s.count = s.count - (behind - from)
  if s.count == 0 then
    s.head = s.tail + 1
  elseif from == 0 then
    moveHead(s)
  end
end

local at = 1
local program = ARGV[1]
while at <= #program do
  local client, generation, upTo, runs
  client, generation, upTo, runs, at = bytesToValues('>I2I8I8I2', program, at)
  local s = sessions[client]
  if s == nil then
    s = raw[client] and decode(ARGV[client + 1], raw[client])
    sessions[client] = s
  end
  if s and s.generation == generation and s.count > 0 and upTo >= s.head then
    remove(s, upTo)
    if s.marked == 1 then
      call('ZREMRANGEBYSCORE', outboundKey(s.id), '-inf', upTo)
      s.marked = call('EXISTS', outboundKey(s.id))
    end
    touched[client] = true
  end
  for _ = 1, runs do
    local first, behind
    first, behind, at = bytesToValues('>I8I8', program, at)
    if s and s.generation == generation and s.count > 0 and first <= s.tail and behind > s.head then
      removeRun(s, first, math.min(behind - 1, s.tail))
      if s.marked == 1 then
        call('ZREMRANGEBYSCORE', outboundKey(s.id), first, behind - 1)
        s.marked = call('EXISTS', outboundKey(s.id))
      end
      touched[client] = true
    end
  end
end

local changes = {}
for client in pairs(touched) do
  changes[#changes + 1] = keys[client]
  changes[#changes + 1] = encode(sessions[client])
end
if #changes > 0 then
  call('MSET', unpack(changes))
end
return { #changes / 2 }

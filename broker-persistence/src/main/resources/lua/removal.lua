-- Functions that remove acknowledged entries from queues. Requires session.lua.
local REMOVED_CHUNK = 16

-- Pops up to `count` of the oldest entries of a list.
local function pop(key, count)
  if count == 0 then
    return {}
  elseif count == 1 then
    -- Costs half as much as a pop with a count.
    return { call('LPOP', key) or nil }
  end
  return call('LPOP', key, count) or {}
end

local function remove(s, upTo)
  local key = queueKey(s.id)
  if upTo >= s.tail then
    -- The client has acknowledged the whole queue, so no entry has to be read.
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
    -- An earlier script failed, so that the counters do not match the queue.
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

-- Removes a range of entries behind entries that stay.
local function removeRange(s, first, last)
  local key = queueKey(s.id)
  local from = before(s, first)
  local stop = before(s, last + 1)
  local at = from
  -- Reads chunks, because entries may be large.
  while at < stop do
    local chunk = call('LRANGE', key, at, math.min(at + REMOVED_CHUNK, stop) - 1)
    for i = 1, #chunk do
      local sequence = sequenceOf(chunk[i])
      if sequence >= first and sequence <= last then
        call('LSET', key, at + i - 1, TOMBSTONE)
      end
      s.bytes = s.bytes - #chunk[i]
    end
    at = at + REMOVED_CHUNK
  end
  if stop <= from then
    return
  end
  if call('LREM', key, stop - from, TOMBSTONE) ~= stop - from then
    -- An earlier script failed, so that the counters do not match the queue.
    recount(s)
    return
  end
  s.count = s.count - (stop - from)
  if s.count == 0 then
    s.head = s.tail + 1
  elseif from == 0 then
    moveHead(s)
  end
end

local function removeMarkers(s, first, last)
  if s.marked == 1 then
    call('ZREMRANGEBYSCORE', outboundKey(s.id), first, last)
    s.marked = call('EXISTS', outboundKey(s.id))
  end
end

-- Removes the entries up to a sequence. Returns whether anything changed.
local function acknowledgeUpTo(s, upTo)
  if s.count == 0 or upTo < s.head then
    return false
  end
  remove(s, upTo)
  removeMarkers(s, '-inf', upTo)
  return true
end

-- Removes the entries from one sequence to below another. Returns whether anything changed.
local function acknowledgeRange(s, first, stop)
  if s.count == 0 or first > s.tail or stop <= s.head then
    return false
  end
  removeRange(s, first, math.min(stop - 1, s.tail))
  removeMarkers(s, first, stop - 1)
  return true
end

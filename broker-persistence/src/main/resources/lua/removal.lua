-- Removes from queues what their clients have acknowledged. Needs session.lua.
local REMOVED_CHUNK = 16

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
    local chunk = call('LRANGE', key, at, math.min(at + REMOVED_CHUNK, behind) - 1)
    for i = 1, #chunk do
      local sequence = sequenceOf(chunk[i])
      if sequence >= first and sequence <= last then
        call('LSET', key, at + i - 1, GONE)
      end
      s.bytes = s.bytes - #chunk[i]
    end
    at = at + REMOVED_CHUNK
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

local function unmark(s, first, last)
  if s.marked == 1 then
    call('ZREMRANGEBYSCORE', outboundKey(s.id), first, last)
    s.marked = call('EXISTS', outboundKey(s.id))
  end
end

-- Everything up to a number is acknowledged. Whether that changed anything.
local function acknowledgeUpTo(s, upTo)
  if s.count == 0 or upTo < s.head then
    return false
  end
  remove(s, upTo)
  unmark(s, '-inf', upTo)
  return true
end

-- Everything from one number to before another is acknowledged. Whether that changed anything.
local function acknowledgeRun(s, first, behind)
  if s.count == 0 or first > s.tail or behind <= s.head then
    return false
  end
  removeRun(s, first, math.min(behind - 1, s.tail))
  unmark(s, first, behind - 1)
  return true
end

-- Removes acknowledged entries from queues. Includes session.lua, removal.lua.
--
-- ARGV[1]: for each acknowledgement the index of the client (u16), generation, view id, sequence up to which everything is acknowledged,
--   number of ranges above it (u16), and for each range its first sequence and one above its last
-- ARGV[2] and on: the ids of the clients, each once
-- Answer: the number of changed sessions
local VIEW_ID_FIRST, VIEW_ID_LAST = 2, 9
local stored = call('GET', KEYS[1])
local currentViewId = stored and string.sub(stored, VIEW_ID_FIRST, VIEW_ID_LAST)
local clients = #ARGV - 1
local keys = {}
for i = 1, clients do
  keys[i] = sessionKey(ARGV[i + 1])
end
local raw = call('MGET', unpack(keys))
local sessions = {}
local touched = {}

local at = 1
local program = ARGV[1]
while at <= #program do
  local client, generation, viewId, upTo, ranges
  client, generation, viewId, upTo, ranges, at = bytesToValues('>I2I8c8I8I2', program, at)
  local s = sessions[client]
  if s == nil then
    s = raw[client] and decode(ARGV[client + 1], raw[client])
    sessions[client] = s
  end
  local known = s and s.generation == generation
  if known and (upTo > s.tail or viewId ~= currentViewId) and identify(s).numbers ~= COMPLETE then
    -- The sequences started again after a loss of data, and this acknowledgement refers to the earlier ones.
    known = false
  end
  if known and acknowledgeUpTo(s, upTo) then
    touched[client] = true
  end
  for _ = 1, ranges do
    local first, stop
    first, stop, at = bytesToValues('>I8I8', program, at)
    if known and acknowledgeRange(s, first, stop) then
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

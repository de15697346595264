-- Removes what clients have acknowledged. Needs session.lua, removal.lua.
--
-- ARGV[1] for each: number of the client (u16), generation, up to which number, how many runs above it (u16), for each its first
-- number and one above its last; then the clients' ids, each once
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
  local client, generation, upTo, runs
  client, generation, upTo, runs, at = bytesToValues('>I2I8I8I2', program, at)
  local s = sessions[client]
  if s == nil then
    s = raw[client] and decode(ARGV[client + 1], raw[client])
    sessions[client] = s
  end
  local known = s and s.generation == generation
  if known and upTo > s.tail and identify(s).numbers ~= COMPLETE then
    -- Its numbers began anew after a loss: those are numbers from before it.
    known = false
  end
  if known and acknowledgeUpTo(s, upTo) then
    touched[client] = true
  end
  for _ = 1, runs do
    local first, behind
    first, behind, at = bytesToValues('>I8I8', program, at)
    if known and acknowledgeRun(s, first, behind) then
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

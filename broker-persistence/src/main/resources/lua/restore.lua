-- Registers sessions again that Redis may have lost. Includes session.lua.
--
-- ARGV: for each session the client id, generation, epoch, owner or an empty text
-- Answer: the number of restored sessions
local restored = 0
for i = 1, #ARGV, 4 do
  local id, generation, epoch, owner = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2]), ARGV[i + 3]
  local s = load(id)
  if not s or s.generation < generation or (s.generation == generation and s.epoch < epoch) then
    if s and s.generation == generation then
      release(s)
    else
      s = begin(id, generation)
    end
    s.epoch = epoch
    s.sentUpTo = UNKNOWN
    s.owner = owner
    store(s)
    restored = restored + 1
  elseif s.generation == generation and s.epoch == epoch and s.owner ~= '' and s.sentUpTo ~= UNKNOWN then
    -- Redis may have lost a later value of sentUpTo.
    s.sentUpTo = UNKNOWN
    store(s)
  end
end
return { restored }

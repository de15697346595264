-- The bucket's position in its log. Included in the scripts that read or change it.
--
-- ARGV[1]: the log's id, 16 bytes
-- ARGV[2]: the view id of the bucket if this script creates it, 8 bytes

-- version, view id, the log's id, offset of the last applied command, highest offset that a script has started to apply
local BUCKET = '>Bc8c16i8i8'
local BUCKET_VERSION = 1
local NOTHING = -1

local bucket = { viewId = ARGV[2], applied = NOTHING, started = NOTHING }

local function encodeBucket()
  return valuesToBytes(BUCKET, BUCKET_VERSION, bucket.viewId, ARGV[1], bucket.applied, bucket.started)
end

do
  local raw = call('GET', KEYS[1])
  if raw then
    local version, viewId, log, applied, started = bytesToValues(BUCKET, raw)
    if version ~= BUCKET_VERSION then
      error(KEYS[1] .. ' has version ' .. version .. ', and this broker knows version ' .. BUCKET_VERSION)
    end
    if log ~= ARGV[1] then
      error(KEYS[1] .. ' is the view of another log: the bucket topic was recreated')
    end
    bucket.viewId, bucket.applied, bucket.started = viewId, applied, started
  else
    call('SET', KEYS[1], encodeBucket())
  end
end

-- The bucket itself: where it stands in its log. Put before the scripts that move or read it.
--
-- ARGV[1] the log's id, 16 bytes; ARGV[2] the incarnation that the bucket gets if it begins now, 8 bytes

-- version, incarnation, the log's id, offset of the last applied command, highest offset that a script ever began to apply
local BUCKET = '>Bc8c16i8i8'
local BUCKET_VERSION = 1
local NOTHING = -1

local bucket = { incarnation = ARGV[2], applied = NOTHING, begun = NOTHING }

local function encodeBucket()
  return valuesToBytes(BUCKET, BUCKET_VERSION, bucket.incarnation, ARGV[1], bucket.applied, bucket.begun)
end

do
  local raw = call('GET', KEYS[1])
  if raw then
    local version, incarnation, log, applied, begun = bytesToValues(BUCKET, raw)
    if version ~= BUCKET_VERSION then
      error(KEYS[1] .. ' has version ' .. version .. ', and this broker knows version ' .. BUCKET_VERSION)
    end
    if log ~= ARGV[1] then
      error(KEYS[1] .. ' is the view of another log: the topic of the buckets was made anew')
    end
    bucket.incarnation, bucket.applied, bucket.begun = incarnation, applied, begun
  else
    call('SET', KEYS[1], encodeBucket())
  end
end

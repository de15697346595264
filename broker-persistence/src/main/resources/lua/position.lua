-- Returns the position of a bucket, which is created if it is missing. Includes session.lua, bucket.lua.
--
-- Answer: incarnation, applied offset
return { bucket.incarnation, bucket.applied }

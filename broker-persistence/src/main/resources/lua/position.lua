-- Returns the position of a bucket, which is created if it is missing. Includes session.lua, bucket.lua.
--
-- Answer: view id, applied offset
return { bucket.viewId, bucket.applied }

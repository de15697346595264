-- Where a bucket stands; one that is not known begins. Needs session.lua, bucket.lua.
-- Answer: incarnation, applied offset
return { bucket.incarnation, bucket.applied }

package io.heddle.persistence.redis;

/** Every key in Redis. */
final class RedisKeys {
    /** A hash about the cluster that this Redis belongs to; its field {@link #CLUSTER_ID}. */
    static final String CLUSTER = "heddle:cluster";

    /** The cluster's id, a UUID as text. */
    static final String CLUSTER_ID = "id";

    private RedisKeys() {}
}

package io.heddle.persistence.redis;

import io.heddle.core.client.ClientId;
import java.nio.charset.StandardCharsets;

/**
 * The keys in Redis. All keys of a bucket begin with its hash tag in braces, so they are in one slot; session.lua builds them in the same
 * way. Immutable.
 */
final class RedisKeys {
    /** A hash that describes the cluster that this Redis belongs to, with the field {@link #CLUSTER_ID}. */
    static final String CLUSTER = "heddle:cluster";

    /** The cluster's id, a UUID as text. */
    static final String CLUSTER_ID = "id";

    /** The number of the format of all values, see {@link RedisClusterIdentity}. */
    static final String CLUSTER_FORMAT = "format";

    private final String[] tags;
    private final byte[][] buckets;

    RedisKeys(int count) {
        tags = HashTags.of(count);
        buckets = new byte[count][];
        for (int bucket = 0; bucket < count; bucket++) {
            buckets[bucket] = key(bucket, "bucket");
        }
    }

    /** Returns the key of a bucket's position. Scripts derive the other keys from it. The array must not be modified. */
    byte[] bucket(int bucket) {
        return buckets[bucket];
    }

    /** Returns the key of a session and the state of its queue. */
    byte[] session(int bucket, ClientId clientId) {
        return key(bucket, "s:" + clientId);
    }

    /** Returns the key of a session's queue: a list that exists unless it is empty. */
    byte[] queue(int bucket, ClientId clientId) {
        return key(bucket, "q:" + clientId);
    }

    private byte[] key(int bucket, String rest) {
        return ("{" + tags[bucket] + "}" + rest).getBytes(StandardCharsets.UTF_8);
    }
}

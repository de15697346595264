package io.heddle.persistence.redis;

import io.heddle.core.client.ClientId;
import java.nio.charset.StandardCharsets;

/**
 * Every key in Redis. All keys of a bucket begin with its hash tag in braces and are in one slot; the scripts make them in the
 * same way (session.lua). Immutable.
 */
final class RedisKeys {
    /** A hash about the cluster that this Redis belongs to; its field {@link #CLUSTER_ID}. */
    static final String CLUSTER = "heddle:cluster";

    /** The cluster's id, a UUID as text. */
    static final String CLUSTER_ID = "id";

    private final String[] tags;
    private final byte[][] buckets;

    /** The keys of so many buckets. */
    RedisKeys(int count) {
        tags = HashTags.of(count);
        buckets = new byte[count][];
        for (int bucket = 0; bucket < count; bucket++) {
            buckets[bucket] = key(bucket, "bucket");
        }
    }

    /** Where a bucket stands in its log. Each script is given this key, and makes the others from it. Not to be written to. */
    byte[] bucket(int bucket) {
        return buckets[bucket];
    }

    /** A session and the state of its queue. */
    byte[] session(int bucket, ClientId clientId) {
        return key(bucket, "s:" + clientId);
    }

    /** A session's queue: a list, while there is something in it. */
    byte[] queue(int bucket, ClientId clientId) {
        return key(bucket, "q:" + clientId);
    }

    /** Numbers of the queue that PUBREC has come for: a sorted set, while there are any. */
    byte[] outboundReceived(int bucket, ClientId clientId) {
        return key(bucket, "o:" + clientId);
    }

    /** Packet Identifiers of the client's QoS 2 messages that wait for PUBREL: a set, while there are any. */
    byte[] inboundReceived(int bucket, ClientId clientId) {
        return key(bucket, "i:" + clientId);
    }

    /** Ids of the clients that are connected to a node's incarnation: a set, while there are any. */
    byte[] connectedTo(int bucket, String owner) {
        return key(bucket, "n:" + owner);
    }

    private byte[] key(int bucket, String rest) {
        return ("{" + tags[bucket] + "}" + rest).getBytes(StandardCharsets.UTF_8);
    }
}

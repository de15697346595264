package io.heddle.persistence.redis;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The keys and scripts of the buckets in Redis, shared by the device queues and the session registry. Thread-safe. Created once at start,
 * which computes the hash tags in some milliseconds.
 */
public final class RedisBuckets {
    private final RedisKeys keys;
    private final RedisScripts scripts;
    private final RedisScripts fillingScripts;
    private final byte[] log;

    /**
     * @param count the number of buckets, which never changes
     * @param log the id of the bucket topic; the scripts reject buckets that were built from another topic, even one of the same name
     */
    public RedisBuckets(RedisServer redis, int count, UUID log, MeterRegistry registry) {
        this.keys = new RedisKeys(count);
        this.scripts = RedisScripts.serving(redis, registry);
        this.fillingScripts = RedisScripts.filling(redis, registry);
        RedisScripts.load(redis);
        this.log = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(log.getMostSignificantBits())
                .putLong(log.getLeastSignificantBits())
                .array();
    }

    RedisKeys keys() {
        return keys;
    }

    RedisScripts scripts() {
        return scripts;
    }

    /** Returns the scripts of the connection that fills the queues. */
    RedisScripts fillingScripts() {
        return fillingScripts;
    }

    /** Returns the log's id, 16 bytes that must not be modified. */
    byte[] log() {
        return log;
    }
}

package io.heddle.persistence.redis;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The buckets as they are kept in Redis: what the device queues and the session registry share. Thread-safe. Made once at start,
 * which looks for the hash tags and takes some milliseconds.
 */
public final class RedisBuckets {
    private final RedisKeys keys;
    private final RedisScripts scripts;
    private final RedisScripts fillingScripts;
    private final byte[] log;

    /**
     * The buckets of one cluster.
     *
     * @param count how many there are, for ever
     * @param log the id of the topic that they are the view of: another one, made anew under the same name, is refused
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

    /** For what fills the queues. */
    RedisScripts fillingScripts() {
        return fillingScripts;
    }

    /** The log's id, 16 bytes, not to be written to. */
    byte[] log() {
        return log;
    }
}

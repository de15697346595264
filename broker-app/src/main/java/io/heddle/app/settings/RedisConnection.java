package io.heddle.app.settings;

import io.heddle.persistence.redis.RedisSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where Redis is.
 *
 * @param url redis://[[user]:password@]host[:port], rediss:// for TLS; of a Redis Cluster some nodes, separated by commas
 * @param connectTimeout how long to wait for a connection
 * @param commandTimeout how long to wait for an answer
 */
public record RedisConnection(
        @DefaultValue("redis://localhost:6379") String url,
        @DefaultValue("5s") Duration connectTimeout,
        @DefaultValue("5s") Duration commandTimeout) {
    /** What the Redis adapter takes. */
    public RedisSettings toRedisSettings() {
        return new RedisSettings(url, connectTimeout, commandTimeout);
    }

    /** Without the URL, which may hold a password. */
    @Override
    public String toString() {
        return "RedisConnection[connectTimeout=" + connectTimeout + ", commandTimeout=" + commandTimeout + "]";
    }
}

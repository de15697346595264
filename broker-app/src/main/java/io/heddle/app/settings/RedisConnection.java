package io.heddle.app.settings;

import io.heddle.persistence.redis.RedisSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Connection to Redis.
 *
 * @param url redis://[[user]:password@]host[:port], rediss:// for TLS; for a Redis Cluster some of its nodes, separated by commas
 * @param connectTimeout maximum time to wait for a connection
 * @param commandTimeout maximum time to wait for the reply to a command
 */
public record RedisConnection(
        @DefaultValue("redis://localhost:6379") String url,
        @DefaultValue("5s") Duration connectTimeout,
        @DefaultValue("5s") Duration commandTimeout) {
    public RedisSettings toRedisSettings() {
        return new RedisSettings(url, connectTimeout, commandTimeout);
    }

    /** Without the URL, which may hold a password. */
    @Override
    public String toString() {
        return "RedisConnection[connectTimeout=" + connectTimeout + ", commandTimeout=" + commandTimeout + "]";
    }
}

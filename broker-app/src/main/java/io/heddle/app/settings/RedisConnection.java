package io.heddle.app.settings;

import io.heddle.persistence.redis.RedisSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Connection to Redis.
 *
 * @param url redis://[[user]:password@]host[:port], rediss:// for TLS; for a Redis Cluster some of its nodes, separated by commas
 * @param trustStore PEM file with the certificates of the authorities that issue the certificate of Redis; if empty, those that Java trusts. It is
 *     read again for each connection. The certificate must have the name or address of heddle.redis.url, those of a Redis Cluster the names or
 *     addresses of its nodes
 * @param connectTimeout maximum time to wait for a connection
 * @param commandTimeout maximum time to wait for the reply to a command
 */
public record RedisConnection(
        @DefaultValue("redis://localhost:6379") String url,
        @DefaultValue("") String trustStore,
        @DefaultValue("5s") Duration connectTimeout,
        @DefaultValue("5s") Duration commandTimeout) {
    public RedisSettings toRedisSettings() {
        return new RedisSettings(
                url, trustStore.isBlank() ? null : Path.of(trustStore), connectTimeout, commandTimeout);
    }

    /** Without the URL, which may hold a password. */
    @Override
    public String toString() {
        return "RedisConnection[trustStore=" + trustStore + ", connectTimeout=" + connectTimeout + ", commandTimeout="
                + commandTimeout + "]";
    }
}

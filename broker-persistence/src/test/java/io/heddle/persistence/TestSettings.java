package io.heddle.persistence;

import io.heddle.persistence.kafka.ApplicationLogSettings;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.persistence.postgres.PostgresSettings;
import io.heddle.persistence.redis.RedisSettings;
import java.time.Duration;
import java.util.Map;

/** Settings of the stores, with the broker's defaults for what a test does not say. */
public final class TestSettings {
    public static final long PENDING_LIMIT_BYTES = 64L << 20;
    public static final Duration POSTGRES_CONNECT_TIMEOUT = Duration.ofSeconds(5);
    public static final Duration POSTGRES_QUERY_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(5);

    private TestSettings() {}

    public static KafkaSettings kafka(String bootstrapServers) {
        return new KafkaSettings(
                bootstrapServers, Duration.ofSeconds(15), 1, 16, KafkaSettings.DEFAULT_BUCKET_LOG_BYTES, Map.of());
    }

    public static ProducerSettings producers(String nodeId) {
        return new ProducerSettings(nodeId, 64L << 20, PENDING_LIMIT_BYTES);
    }

    public static ApplicationLogSettings applicationLogs() {
        return new ApplicationLogSettings(10L << 30, Duration.ofMinutes(10), Duration.ofHours(1), 1);
    }

    public static PostgresSettings postgres(String url, String user, String password) {
        return new PostgresSettings(url, user, password, 8, POSTGRES_CONNECT_TIMEOUT, POSTGRES_QUERY_TIMEOUT);
    }

    public static RedisSettings redis(String url) {
        return redis(url, REDIS_TIMEOUT, REDIS_TIMEOUT);
    }

    /** Without a trust store. */
    public static RedisSettings redis(String url, Duration connectTimeout, Duration commandTimeout) {
        return new RedisSettings(url, null, connectTimeout, commandTimeout);
    }
}

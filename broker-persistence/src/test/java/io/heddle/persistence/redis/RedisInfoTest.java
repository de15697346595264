package io.heddle.persistence.redis;

import static io.heddle.persistence.Startup.sentenceOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.persistence.LogCapture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisInfoTest {
    private static final String GOOD = """
            # Server\r
            redis_version:6.2.11\r
            # Memory\r
            maxmemory_policy:noeviction\r
            # Persistence\r
            aof_enabled:1\r
            # Replication\r
            role:master\r
            # Cluster\r
            cluster_enabled:0\r
            """;

    @ParameterizedTest
    @ValueSource(strings = {"6.2.0", "6.2.11", "7.0.15", "7.2.4", "8.1.8", "10.0", "8.0-rc1"})
    void aServerOfThisVersionIsAccepted(String version) {
        try (LogCapture log = LogCapture.of(RedisInfo.class)) {
            info(GOOD.replace("6.2.11", version)).verify();

            assertThat(log.events()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.0.16", "5.0.7", "2.8", "unreadable", ""})
    void anOlderServerIsRejected(String version) {
        sentenceOf(() -> info(GOOD.replace("6.2.11", version)).verify())
                .contains("Redis at redis:6379 is version " + version, "6.2 or later", "heddle.redis.url");
    }

    @Test
    void aServerThatEvictsIsRejectedWithTheCommandThatRepairsIt() {
        sentenceOf(() -> info(GOOD.replace("noeviction", "allkeys-lru")).verify())
                .contains("maxmemory-policy is allkeys-lru", "CONFIG SET maxmemory-policy noeviction");
    }

    @Test
    void aReplicaIsRejected() {
        sentenceOf(() -> info(GOOD.replace("role:master", "role:slave")).verify())
                .contains("is a replica", "heddle.redis.url");
    }

    @Test
    void aServerWithoutAppendOnlyFileIsWarnedOf() {
        try (LogCapture log = LogCapture.of(RedisInfo.class)) {
            info(GOOD.replace("aof_enabled:1", "aof_enabled:0")).verify();

            assertThat(log.events())
                    .singleElement()
                    .satisfies(
                            event -> assertThat(event.getFormattedMessage()).contains("redis:6379", "appendonly yes"));
        }
    }

    @Test
    void missingFactsAreNotAccepted() {
        sentenceOf(() -> info("").verify()).contains("unknown");
        sentenceOf(() -> info(GOOD.replace("maxmemory_policy:noeviction", "")).verify())
                .contains("maxmemory-policy is unknown");
    }

    @Test
    void aClusterNodeIsKnown() {
        assertThat(info(GOOD).isClusterNode()).isFalse();
        assertThat(info(GOOD.replace("cluster_enabled:0", "cluster_enabled:1")).isClusterNode())
                .isTrue();
    }

    private static RedisInfo info(String answer) {
        return RedisInfo.parse("redis:6379", answer);
    }
}

package io.heddle.persistence.redis;

import static io.heddle.persistence.Startup.sentenceOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.persistence.TestSettings;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Redis Cluster of three masters, started by this test. */
class RedisClusterModeIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path directory;

    @Test
    void aRedisClusterIsRecognisedCheckedOnEveryMasterAndClaimed() throws Exception {
        try (Servers servers = Servers.builder(directory)
                .only(Server.REDIS)
                .redisNodes(3)
                .tuning(Tuning.TESTS)
                .start()) {
            servers.awaitReady(PATIENCE);
            List<String> urls = servers.endpoints().redisUrls();
            RedisSettings all = patient(servers.endpoints().redisUrl());
            RedisSettings one = patient(urls.getFirst());

            for (RedisSettings settings : List.of(all, one)) {
                try (RedisServer redis = RedisServer.open(settings, new SimpleMeterRegistry())) {
                    assertThat(redis.isClustered()).isTrue();
                    redis.check();
                    new RedisClusterIdentity(redis).claim(new UUID(1, 1));
                    sentenceOf(() -> new RedisClusterIdentity(redis).claim(new UUID(2, 2)))
                            .contains("belongs to another Heddle cluster");
                }
            }

            setPolicy(urls.getLast(), "volatile-lru");
            sentenceOf(() -> RedisServer.open(one, new SimpleMeterRegistry()))
                    .contains(TestSettings.redis(urls.getLast()).address(), "volatile-lru");
        }
    }

    private static RedisSettings patient(String url) {
        return TestSettings.redis(url, PATIENCE, PATIENCE);
    }

    private static void setPolicy(String url, String policy) {
        try (RedisClient client = RedisClient.create(RedisURI.create(url));
                StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().configSet("maxmemory-policy", policy);
        }
    }
}

package io.heddle.persistence.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.persistence.TestSettings;
import io.heddle.standalone.testkit.Relay;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Failures of script calls and their metrics. */
class RedisScriptsIT {
    private static final ClientId PUMP = new ClientId("pump-1");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RedisServer running = RedisUnderTest.bundled().server();

    @Test
    void anAnswerIsTimedByItsScript() throws Exception {
        try (RedisServer server = open(Duration.ofSeconds(5))) {
            new RedisDeviceQueues(buckets(server))
                    .position(1)
                    .toCompletableFuture()
                    .get();
        }

        assertThat(registry.get("heddle.redis.script")
                        .tag("script", "position")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("heddle.redis.script")
                        .tag("script", "apply")
                        .timer()
                        .count())
                .isZero();
    }

    @Test
    void aRedisThatDoesNotAnswerInTimeIsUnavailable() throws Exception {
        try (Relay relay = Relay.open()) {
            String url = running.settings().url();
            int end = url.lastIndexOf(':') + 1;
            relay.forwardTo(Integer.parseInt(url.substring(end)));
            try (RedisServer server = open(url.substring(0, end) + relay.port(), Duration.ofSeconds(2))) {
                RedisDeviceQueues queues = new RedisDeviceQueues(buckets(server));
                relay.silence();

                CompletionStage<?> position = queues.position(1);
                CompletionStage<?> acknowledged = queues.acknowledge(1, List.of(new Acknowledgement(PUMP, 1, 1, 1)));
                CompletionStage<?> page = queues.page(1, PUMP, 1, 1, 1, 1, 1);
                assertUnavailable(position, "did not answer in time (script position)");
                assertUnavailable(acknowledged, "did not answer in time (script acknowledge)");
                assertUnavailable(page, "did not answer in time (script page)");
            }
        }
        assertThat(failures("timeout")).isEqualTo(3);
    }

    @Test
    void aClosedConnectionIsUnavailable() {
        RedisServer server = open(Duration.ofSeconds(5));
        RedisSessionRegistry sessions = new RedisSessionRegistry(buckets(server));
        server.close();

        assertUnavailable(sessions.end(1, PUMP, 1), "is not reachable (script end)");
        assertThat(failures("disconnected")).isEqualTo(1);
    }

    private static void assertUnavailable(CompletionStage<?> answer, String sentence) {
        // The fault itself, not a wrapper.
        assertThat(answer.handle((value, fault) -> fault))
                .succeedsWithin(Duration.ofSeconds(60))
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(sentence);
    }

    private RedisServer open(Duration commandTimeout) {
        return open(running.settings().url(), commandTimeout);
    }

    private RedisServer open(String url, Duration commandTimeout) {
        return RedisServer.open(TestSettings.redis(url, Duration.ofSeconds(5), commandTimeout), registry);
    }

    private RedisBuckets buckets(RedisServer server) {
        return new RedisBuckets(server, RedisUnderTest.BUCKETS, RedisUnderTest.LOG, registry);
    }

    private double failures(String reason) {
        return registry.get("heddle.redis.failures")
                .tag("reason", reason)
                .counter()
                .count();
    }
}

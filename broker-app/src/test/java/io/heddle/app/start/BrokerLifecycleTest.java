package io.heddle.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class BrokerLifecycleTest {
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(60);

    private @Nullable Level before;

    @BeforeEach
    void quiet() {
        before = ROOT.getLevel();
        ROOT.setLevel(Level.OFF);
    }

    @AfterEach
    void loud() {
        ROOT.setLevel(before);
    }

    @Test
    void theEndOfTheNodeStopsItsStart() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            BrokerLifecycle lifecycle = new BrokerLifecycle();
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            Thread starting = Thread.ofPlatform().daemon().start(() -> {
                try {
                    lifecycle.start(
                            "--heddle.http.port=0",
                            "--heddle.mqtt.port=0",
                            "--heddle.kafka.bootstrap-servers=" + address,
                            "--heddle.kafka.connect-timeout=5m",
                            "--heddle.redis.url=redis://" + address,
                            "--heddle.redis.connect-timeout=5m",
                            "--heddle.postgres.url=jdbc:postgresql://" + address + "/heddle",
                            "--heddle.postgres.user=heddle",
                            "--heddle.postgres.connect-timeout=5m");
                } catch (RuntimeException e) {
                    failure.complete(e);
                }
            });
            // A phase of the broker connects to its store and waits for the answer.
            try (Socket _ = silent.accept()) {
                lifecycle.onNodeOver("This node is over: a test says so");

                assertThat(starting.join(STOPS_WITHIN)).isTrue();
            }
            assertThat(failure)
                    .isCompletedWithValueMatching(
                            each -> String.valueOf(each.getMessage()).equals("This node is over: a test says so"));
            assertThat(lifecycle.exitStatus()).isEqualTo(BrokerLifecycle.NODE_IS_OVER);
        }
    }
}

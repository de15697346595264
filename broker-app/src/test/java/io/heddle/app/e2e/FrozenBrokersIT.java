package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.Ended;
import io.heddle.app.launcher.OwnProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Brokers with default settings on redundant servers. The serving one is frozen for longer than the lease while publishers write to its sockets,
 * and continued after another one serves.
 */
@OwnProcesses(because = "SIGSTOP freezes a process")
@Tag("outage")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class FrozenBrokersIT {
    private static final int NODE_IS_OVER = 75;
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
    private static final int PER_SECOND = 100;
    private static final int MESSAGES = 200;

    @TempDir
    Path directory;

    @Test
    void theOtherBrokerTakesOver() throws Exception {
        try (RedundantServers servers = RedundantServers.start(directory)) {
            BrokerProcess first = servers.broker("frozen-1").awaitReady();
            BrokerProcess second = servers.broker("frozen-2").awaitReady();
            assertNothingIsLost(first, () -> second);
            try (BrokerProcess again = servers.broker("frozen-1").awaitReady()) {
                assertThat(again.isReady()).isTrue();
            }
        }
    }

    @Test
    void aNewBrokerReplacesTheOnlyOne() throws Exception {
        try (RedundantServers servers = RedundantServers.start(directory)) {
            BrokerProcess first = servers.broker("frozen-1").awaitReady();
            assertNothingIsLost(first, () -> servers.broker("frozen-2"));
        }
    }

    @FunctionalInterface
    private interface Replacement {
        BrokerProcess next() throws Exception;
    }

    private static void assertNothingIsLost(BrokerProcess first, Replacement replacement) throws Exception {
        AtomicReference<BrokerProcess> serving = new AtomicReference<>(first);
        try (SteadyLoad load = SteadyLoad.begin(PER_SECOND, () -> serving.get().mqttPort())) {
            load.connectClientsWithWills("will");
            load.awaitAcknowledged(MESSAGES);
            first.freeze();
            try {
                BrokerProcess next = replacement.next().awaitReady();
                serving.set(next);
                next.awaitDeclarationOfDeath();
            } finally {
                first.thaw();
            }

            Ended ended = first.awaitEnd(ENDS_WITHIN);

            assertThat(ended.status()).isEqualTo(NODE_IS_OVER);
            assertThat(ended.errors() + ended.output()).contains("This node is over");
            load.expectWills("will");
            load.awaitAcknowledged(MESSAGES);
            load.finish();
        }
    }
}

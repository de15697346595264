package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.Ended;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.process.SupervisedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Broker processes with a short lease while Kafka is away, or while the only one is frozen. The test has its own servers. */
@OwnProcesses(because = "SIGSTOP freezes a process")
@Tag("ci")
@Tag("alone")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ClusterOutageIT {
    private static final Duration READY = Duration.ofMinutes(2);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
    private static final int NODE_IS_OVER = 75;
    private static final int PER_SECOND = 100;
    private static final int MESSAGES = 50;

    @TempDir
    static Path directory;

    @AutoClose
    private static Servers servers;

    @BeforeAll
    static void start() throws Exception {
        // A frozen Kafka node that its controller gives up loses markers of transactions (KAFKA-20734).
        servers = Servers.builder(directory).tuning(Tuning.OUTAGE_TESTS).start();
        servers.awaitReady(READY);
    }

    private static BrokerProcess node(String id) throws Exception {
        return BrokerProcess.withoutServers(BrokerUnderTest.settings(
                id,
                servers.endpoints(),
                "--heddle.authentication.anonymous.enabled=true",
                DeliveryPath.SETTING,
                "--heddle.health.down-after=1h",
                "--heddle.cluster.lease=3s",
                "--heddle.cluster.heartbeat-interval=300ms"));
    }

    @Test
    void noBrokerIsDeclaredDeadAndNoConnectionIsClosedWhileKafkaIsAway() throws Exception {
        try (BrokerProcess first = node("outage-a").awaitReady();
                BrokerProcess second = node("outage-b").awaitReady();
                SteadyLoad load = SteadyLoad.begin(PER_SECOND, first::mqttPort)) {
            load.connectClientsWithWills("will");
            load.awaitAcknowledged(MESSAGES);
            SupervisedProcess kafka = servers.process(Server.KAFKA, 0);
            kafka.pause();
            try {
                Soon.until(() -> (first.output() + first.errors())
                        .contains("Kafka has accepted no heartbeat of this node for the lease"));
            } finally {
                kafka.resume();
            }

            load.awaitAcknowledged(MESSAGES);
            load.finish();
            load.assertNoConnectionLost();
            assertThat(second.output() + second.errors()).doesNotContain("Declaring a node dead");
        }
    }

    @Test
    void aFrozenBrokerThatWasReplacedChangesNothingMore() throws Exception {
        try (BrokerProcess first = node("outage-c").awaitReady()) {
            AtomicReference<BrokerProcess> serving = new AtomicReference<>(first);
            try (SteadyLoad load =
                    SteadyLoad.begin(PER_SECOND, () -> serving.get().mqttPort())) {
                load.connectClientsWithWills("will");
                load.awaitAcknowledged(MESSAGES);
                first.freeze();
                try (BrokerProcess second = node("outage-d")) {
                    try {
                        serving.set(second.awaitReady());
                    } finally {
                        first.thaw();
                    }
                    Ended ended = first.awaitEnd(ENDS_WITHIN);
                    assertThat(ended.status()).isEqualTo(NODE_IS_OVER);
                    load.expectWills("will");
                    load.awaitAcknowledged(MESSAGES);
                    load.finish();
                }
            }
        }
    }
}

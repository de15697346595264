package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.netty.handler.codec.mqtt.MqttMessageType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers of an earlier build are replaced by brokers of this one, one after the other, while clients of all of them publish and
 * receive. The stores have what the earlier build wrote. Skipped unless the system property {@value #PREVIOUS} names the distribution of
 * the earlier build, which {@code .ci/previous-build} makes.
 */
@OwnProcesses(because = "a build before this one is another program")
@Tag("outage")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class UpgradeIT {
    private static final String PREVIOUS = "test.previous-distribution";
    private static final Path DISTRIBUTION = Path.of(System.getProperty(PREVIOUS, ""));
    private static final Duration READY = Duration.ofMinutes(2);
    private static final Duration LONGEST_ABSENCE = Duration.ofSeconds(10);
    private static final int NODES = 3;
    private static final int LOADS = 2;
    private static final int PER_SECOND = 50;
    private static final int MESSAGES = 200;

    @BeforeEach
    void requireTheEarlierBuild() {
        assumeThat(DISTRIBUTION.resolve("lib").resolve("app"))
                .as("-D%s names the distribution of an earlier build, see .ci/previous-build", PREVIOUS)
                .isDirectory();
    }

    private static BrokerProcess earlier(List<String> settings) throws IOException {
        return BrokerProcess.withoutServers(DISTRIBUTION, settings);
    }

    @Test
    void aRollingUpgradeLosesNothingAndReadsWhatTheEarlierBuildWrote(@TempDir Path directory) throws Exception {
        StoredState stored = new StoredState();
        StoredAccounts accounts = new StoredAccounts();
        try (Servers servers =
                Servers.builder(directory).tuning(Tuning.OUTAGE_TESTS).start()) {
            servers.awaitReady(READY);
            List<SteadyLoad> loads = new ArrayList<>();
            try (ServingNodes nodes = ServingNodes.start(servers.endpoints(), UpgradeIT::earlier, NODES, "")) {
                stored.store(nodes.port(0));
                accounts.store(nodes);
                for (int i = 0; i < LOADS; i++) {
                    loads.add(SteadyLoad.begin(PER_SECOND, nodes::nextPort));
                }
                loads.forEach(load -> load.awaitAcknowledged(MESSAGES));

                for (int i = 0; i < NODES; i++) {
                    nodes.replace(i, BrokerProcess::withoutServers);
                    loads.forEach(load -> load.awaitAcknowledged(MESSAGES));
                    assertMessagesPassBetweenAllNodes(nodes);
                    for (int node = 0; node < NODES; node++) {
                        stored.assertRetained(nodes.port(node));
                        accounts.assertStored(nodes, node);
                    }
                }

                SteadyLoad.finishAll(loads, LONGEST_ABSENCE);
                stored.assertMessages(nodes.port(0));
                stored.assertSubscriptions(nodes.port(1), nodes.port(2));
                stored.assertWills(nodes.port(2), nodes.port(0));
                accounts.assertGuarded(nodes, 0);
            } finally {
                loads.forEach(SteadyLoad::close);
            }
        }
    }

    /** Publishes through each node to subscribers of all nodes: sessions that end with their connections, and persistent ones. */
    private static void assertMessagesPassBetweenAllNodes(ServingNodes nodes) {
        String topic = "between/" + Library.newClientId();
        List<RawClient> subscribers = new ArrayList<>();
        try {
            for (int node = 0; node < NODES; node++) {
                subscribers.add(new RawConnect(Library.newClientId())
                        .open(nodes.port(node))
                        .subscribe(topic, 1));
                subscribers.add(SteadyClient.persistent(DeliveryPath.DEVICE)
                        .open(nodes.port(node))
                        .subscribe(topic, 1));
                subscribers.add(SteadyClient.persistent(DeliveryPath.APPLICATION)
                        .open(nodes.port(node))
                        .subscribe(topic, 1));
            }
            for (int node = 0; node < NODES; node++) {
                try (RawClient publisher = new RawConnect(Library.newClientId()).open(nodes.port(node))) {
                    publisher.publish(topic, "from node " + node, 1, 1, false);
                    publisher.expect(MqttMessageType.PUBACK);
                }
            }
            for (RawClient subscriber : subscribers) {
                assertThat(subscriber.take(NODES))
                        .extracting(RawPublish::payload)
                        .containsExactlyInAnyOrder("from node 0", "from node 1", "from node 2");
            }
        } finally {
            subscribers.forEach(RawClient::close);
        }
    }
}

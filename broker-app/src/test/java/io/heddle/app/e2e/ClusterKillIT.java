package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.OwnProcesses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kill points with two and three brokers with default settings on redundant servers. A standby takes the place of each killed broker.
 * Clients of both types have wills when a broker is killed.
 */
@OwnProcesses(because = "kill -9 ends a process")
@Tag("outage")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class ClusterKillIT extends KillPoints {
    private static final Logger log = LoggerFactory.getLogger(ClusterKillIT.class);
    private static final Duration SERVES_WITHIN = Duration.ofSeconds(5);
    private static final String WILLS = "kill/wills";

    /** The delay of a will that is pending when the broker is killed. */
    private static final int DELAY_SECONDS = 3;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private RedundantServers servers;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private KillableBroker broker;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private String point;

    /** One for each broker, so that a stalled Redis stalls only the broker that serves. */
    private final Map<String, RedisGate> gates = new HashMap<>();

    private final List<PersistentSubscriber> willSubscribers = new ArrayList<>();
    private final List<String> wills = new ArrayList<>();
    private final List<RawClient> connected = new ArrayList<>();
    private final List<RawClient> leaving = new ArrayList<>();
    private final List<Duration> outages = new ArrayList<>();
    private int kills;
    private int rounds;

    @BeforeAll
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void start(@TempDir Path directory) throws Exception {
        servers = RedundantServers.start(directory);
        broker = KillableBroker.start(this::settings, 1);
        DeliveryPath.persistent().forEach(path -> {
            PersistentSubscriber subscriber = new PersistentSubscriber(broker, broker.persistentClient(path));
            subscriber.subscribe(WILLS, 1).leave();
            willSubscribers.add(subscriber);
        });
    }

    private List<String> settings(String nodeId) throws IOException {
        RedisGate gate = RedisGate.open(servers.redisUrls());
        gates.put(nodeId, gate);
        return servers.settings(
                nodeId,
                "--heddle.redis.url=" + gate.urls(),
                KillableBroker.ONE_SERVES,
                // Of a start, which takes longer on a busy machine; a takeover does not wait for them.
                "--heddle.kafka.connect-timeout=60s",
                "--heddle.redis.connect-timeout=60s",
                "--heddle.postgres.connect-timeout=60s");
    }

    @AfterAll
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void stop() throws Exception {
        try {
            if (broker != null) {
                broker.close();
            }
        } finally {
            for (RedisGate gate : gates.values()) {
                gate.close();
            }
            if (servers != null) {
                servers.close();
            }
        }
    }

    @BeforeEach
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void prepare(TestInfo info) throws IOException {
        point = info.getTestMethod().orElseThrow().getName() + " " + info.getDisplayName();
        outages.clear();
        kills = 1;
        broker.keepStandbys(1);
        // A client with a persistent session needs Redis, which a kill point may stall.
        connectClientsWithWills();
    }

    @AfterEach
    void theNextBrokerServedInTime() {
        assertThat(outages).hasSize(kills);
        for (Duration outage : outages) {
            assertThat(outage).as(FailureReport::text).isLessThan(SERVES_WITHIN);
        }
    }

    @Override
    KillableBroker broker() {
        return broker;
    }

    @Override
    RedisGate gate() {
        return Objects.requireNonNull(gates.get(broker.nodeId()));
    }

    @Override
    void killAndRestart() throws Exception {
        killTheServingBroker();
        while (outages.size() < kills) {
            connectClientsWithWills();
            killTheServingBroker();
        }
    }

    /** Connects a client of each type that keeps its connection until the broker is killed, and one whose will is pending by then. */
    private void connectClientsWithWills() {
        rounds++;
        wills.clear();
        connected.clear();
        leaving.clear();
        DeliveryPath.persistent().forEach(path -> {
            wills.add(rounds + " of a connected client, " + path);
            connected.add(broker.open(broker.persistentClient(path).will(WILLS, wills.getLast(), 0)));
            wills.add(rounds + " of a client that is away, " + path);
            leaving.add(broker.open(broker.persistentClient(path).will(WILLS, wills.getLast(), DELAY_SECONDS)));
        });
    }

    /** Returns when the next broker has acknowledged a QoS 1 message and published each will once. */
    private void killTheServingBroker() throws Exception {
        RedisGate gate = gate();
        leaving.forEach(RawClient::cut);
        long began = System.nanoTime();
        broker.kill();
        gate.close();
        broker.awaitNext();
        Duration ready = Duration.ofNanos(System.nanoTime() - began);
        broker.publish("kill/served", "acknowledged");
        Duration outage = Duration.ofNanos(System.nanoTime() - began);
        log.info(
                "The next broker was ready {} ms, and sent PUBACK {} ms after kill -9: {}",
                ready.toMillis(),
                outage.toMillis(),
                point);
        outages.add(outage);
        connected.forEach(RawClient::close);
        for (PersistentSubscriber subscriber : willSubscribers) {
            List<String> came = new ArrayList<>();
            Soon.until(() -> {
                came.addAll(subscriber.takeAll());
                return came.size() >= wills.size();
            });
            // A repeated will would come here or in the next round.
            came.addAll(subscriber.takeAll());
            assertThat(came).containsExactlyInAnyOrderElementsOf(wills);
        }
    }

    @ParameterizedTest
    @MethodSource("io.heddle.app.e2e.DeliveryPath#persistent")
    void twoOfThreeBrokersAreKilledInTurn(DeliveryPath path) throws Exception {
        broker.keepStandbys(2);
        kills = 2;
        duringManyTransactions(path);
    }
}

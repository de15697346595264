package io.heddle.app.e2e;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A broker in a separate process, which a test can kill, on servers that outlive it. Standbys wait to take the place of a killed broker.
 * Without standbys, the broker is started again and keeps its node id. One test thread.
 */
final class KillableBroker implements AutoCloseable {
    private static final Duration DEAD_WITHIN = Duration.ofSeconds(20);

    /** Characters of the output that a failing wait prints. */
    private static final int SHOWN_CHARACTERS = 10_000;

    /** Lets the other brokers stand by, so that the one that is killed holds all buckets. */
    static final String ONE_SERVES = "--heddle.cluster.serving-nodes=one";

    /** Gives a standby to tests that are written for one broker. */
    private static final int STANDBYS = Boolean.getBoolean("heddle.test.standby") ? 1 : 0;

    /** Prepares the settings of a broker that is about to start. */
    @FunctionalInterface
    interface Settings {
        List<String> of(String nodeId) throws IOException;
    }

    private record Member(String nodeId, BrokerProcess process) {}

    private final String name = "killed-" + UUID.randomUUID();
    private final Settings settings;
    private final Set<String> clientIds = new HashSet<>();
    private final Deque<Member> waiting = new ArrayDeque<>();
    private Member serving;
    private int standbys;
    private int started;

    private KillableBroker(Settings settings, int standbys) throws IOException {
        this.settings = settings;
        this.standbys = standbys;
        this.serving = started();
        FailureReport.add(
                this, () -> "the broker of process " + serving.process().pid() + " wrote:\n" + latestOutput());
        boolean complete = false;
        try {
            replaceStandbys();
            complete = true;
        } finally {
            if (!complete) {
                closeProcesses();
            }
        }
    }

    /** Returns the latest output instead of metrics, which only administrators can read. */
    private String latestOutput() {
        String output = serving.process().output() + serving.process().errors();
        return output.substring(Math.max(0, output.length() - SHOWN_CHARACTERS));
    }

    /** Starts a broker on the shared servers and the test's own Redis. */
    static KillableBroker startOnRedis(String url, String... settings) throws IOException {
        Endpoints shared = TestServers.shared();
        Endpoints endpoints = new Endpoints(
                shared.kafkaBootstrapServers(),
                shared.kafkaPassword(),
                url,
                shared.postgresUrl(),
                shared.postgresUser(),
                shared.postgresPassword());
        return startOn(endpoints, settings);
    }

    /** Starts a broker on the test's own servers, to which anonymous clients connect. */
    static KillableBroker startOn(Endpoints endpoints, String... settings) throws IOException {
        List<String> further = new ArrayList<>(List.of("--heddle.authentication.anonymous.enabled=true"));
        further.addAll(List.of(settings));
        if (STANDBYS > 0) {
            further.add(ONE_SERVES);
        }
        return start(nodeId -> BrokerUnderTest.settings(nodeId, endpoints, further.toArray(String[]::new)), STANDBYS);
    }

    /** Starts a broker, and standbys that wait for it. */
    static KillableBroker start(Settings settings, int standbys) throws IOException {
        return new KillableBroker(settings, standbys);
    }

    private Member started() throws IOException {
        return awaited(name, BrokerProcess::awaitReady);
    }

    private Member nextStandby() throws IOException {
        started++;
        return awaited(name + "-standby-" + started, BrokerProcess::awaitStandby);
    }

    private Member awaited(String nodeId, Consumer<BrokerProcess> wait) throws IOException {
        BrokerProcess starting = BrokerProcess.withoutServers(settings.of(nodeId));
        boolean complete = false;
        try {
            wait.accept(starting);
            complete = true;
            return new Member(nodeId, starting);
        } finally {
            if (!complete) {
                starting.close();
            }
        }
    }

    /** Returns the node id of the broker that serves. */
    String nodeId() {
        return serving.nodeId();
    }

    int mqttPort() {
        return serving.process().mqttPort();
    }

    /** Returns the CONNECT of a new MQTT 5.0 client with a persistent session. */
    RawConnect persistentClient() {
        return persistentClient(DeliveryPath.DEVICE);
    }

    /** Returns the CONNECT of a new MQTT 5.0 client of a type, with a persistent session. */
    RawConnect persistentClient(DeliveryPath path) {
        String clientId = path.newClientId();
        clientIds.add(clientId);
        return new RawConnect(MqttVersion.MQTT_5, clientId).persistent(3_600);
    }

    RawClient open(RawConnect connect) {
        return connect.open(mqttPort());
    }

    /** Publishes a message at QoS 1 with a client of its own; returns when the broker has acknowledged it. */
    void publish(String topic, String payload) {
        try (RawClient publisher = open(new RawConnect(Library.newClientId()))) {
            publisher.publish(topic, payload, 1, 1, false);
            publisher.expect(MqttMessageType.PUBACK);
        }
    }

    /** Kills the broker with {@code kill -9}; returns when it has ended. */
    void kill() throws Exception {
        serving.process().kill();
        awaitEnd();
    }

    /** Stops the broker with TERM; returns when it has ended. */
    void stop() throws Exception {
        serving.process().terminate();
        awaitEnd();
    }

    private void awaitEnd() throws InterruptedException {
        serving.process().awaitEnd(DEAD_WITHIN);
        serving.process().close();
    }

    /** Starts the broker again after {@link #kill} or {@link #stop}, or lets a standby take over; returns when it is ready. */
    void restart() throws IOException {
        awaitNext();
        replaceStandbys();
    }

    /** Returns when the next broker is ready after {@link #kill}, without another standby in its place. */
    void awaitNext() throws IOException {
        Member next = waiting.poll();
        if (next == null) {
            serving = started();
        } else {
            serving = next;
            next.process().awaitReady();
        }
    }

    /** Starts standbys until this many wait. With a lower number, brokers that are killed later are not replaced. */
    void keepStandbys(int number) throws IOException {
        standbys = number;
        replaceStandbys();
    }

    /** Starts standbys in the place of those that have taken over. */
    private void replaceStandbys() throws IOException {
        while (waiting.size() < standbys) {
            waiting.add(nextStandby());
        }
    }

    private void closeProcesses() {
        waiting.forEach(each -> each.process().close());
        serving.process().close();
    }

    /** Ends the sessions of its clients, which would disturb tests on the same servers, and stops the brokers. */
    @Override
    public void close() {
        FailureReport.remove(this);
        try {
            for (String clientId : clientIds) {
                open(new RawConnect(clientId)).disconnect((byte) 0);
            }
        } finally {
            closeProcesses();
        }
    }
}

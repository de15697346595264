package io.heddle.app.e2e;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A broker in a separate process, which a test can kill, on servers that outlive it. It keeps its node id through restarts. With the system
 * property {@code heddle.test.standby}, a second process stands by and takes the place of the first one instead of a restart. One test
 * thread.
 */
final class KillableBroker implements AutoCloseable {
    private static final Duration DEAD_WITHIN = Duration.ofSeconds(20);

    /** Characters of the output that a failing wait prints. */
    private static final int SHOWN_CHARACTERS = 10_000;

    private static final boolean HAS_STANDBY = Boolean.getBoolean("heddle.test.standby");

    private final List<String> settings;
    private final Set<String> clientIds = new HashSet<>();
    private BrokerProcess process;
    private @Nullable BrokerProcess standby;
    private int standbys;

    private KillableBroker(List<String> settings) throws IOException {
        this.settings = settings;
        this.process = started();
        this.standby = nextStandby();
        FailureReport.add(this, () -> "the broker of process " + process.pid() + " wrote:\n" + latestOutput());
    }

    private @Nullable BrokerProcess nextStandby() throws IOException {
        if (!HAS_STANDBY) {
            return null;
        }
        standbys++;
        String suffix = "-standby-" + standbys;
        return BrokerProcess.withoutServers(settings.stream()
                        .map(each -> each.startsWith("--heddle.node.id=") ? each + suffix : each)
                        .toList())
                .awaitStandby();
    }

    /** Returns the latest output instead of metrics, which only administrators can read. */
    private String latestOutput() {
        String output = process.output() + process.errors();
        return output.substring(Math.max(0, output.length() - SHOWN_CHARACTERS));
    }

    /** Starts a broker on the shared servers and the test's own Redis. */
    static KillableBroker startOnRedis(String url) throws IOException {
        Endpoints shared = TestServers.shared();
        Endpoints endpoints = new Endpoints(
                shared.kafkaBootstrapServers(),
                shared.kafkaPassword(),
                url,
                shared.postgresUrl(),
                shared.postgresUser(),
                shared.postgresPassword());
        return startOn(endpoints, "--heddle.authentication.anonymous.enabled=true");
    }

    /** Starts a broker on the test's own servers. */
    static KillableBroker startOn(Endpoints endpoints, String... settings) throws IOException {
        return new KillableBroker(BrokerUnderTest.settings("killed-" + UUID.randomUUID(), endpoints, settings));
    }

    private BrokerProcess started() throws IOException {
        BrokerProcess starting = BrokerProcess.withoutServers(settings);
        boolean ready = false;
        try {
            starting.awaitReady();
            ready = true;
            return starting;
        } finally {
            if (!ready) {
                starting.close();
            }
        }
    }

    int mqttPort() {
        return process.mqttPort();
    }

    /** Returns the CONNECT of a new MQTT 5.0 client with a persistent session. */
    RawConnect persistentClient() {
        String clientId = Library.newClientId();
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
        process.kill();
        process.awaitEnd(DEAD_WITHIN);
        process.close();
    }

    /** Stops the broker with TERM; returns when it has ended. */
    void stop() throws Exception {
        process.terminate();
        process.awaitEnd(DEAD_WITHIN);
        process.close();
    }

    /** Starts the broker again after {@link #kill} or {@link #stop}; returns when it is ready. */
    void restart() throws IOException {
        BrokerProcess waiting = standby;
        if (waiting == null) {
            process = started();
        } else {
            process = waiting.awaitReady();
            standby = nextStandby();
        }
    }

    /** Ends the sessions of its clients, which would disturb tests on the same servers, and stops the broker. */
    @Override
    public void close() {
        FailureReport.remove(this);
        try {
            for (String clientId : clientIds) {
                open(new RawConnect(clientId)).disconnect((byte) 0);
            }
        } finally {
            if (standby != null) {
                standby.close();
            }
            process.close();
        }
    }
}

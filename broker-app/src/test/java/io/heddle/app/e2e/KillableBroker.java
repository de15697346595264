package io.heddle.app.e2e;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A broker in a separate process, which a test can kill, on servers that outlive it. It is started again and keeps its node id. One test
 * thread.
 */
final class KillableBroker implements AutoCloseable {
    private static final Duration DEAD_WITHIN = Duration.ofSeconds(20);

    /** Characters of the output that a failing wait prints. */
    private static final int SHOWN_CHARACTERS = 10_000;

    private final String name = "killed-" + UUID.randomUUID();
    private final List<String> settings;
    private final Set<String> clientIds = new HashSet<>();
    private BrokerProcess process;

    private KillableBroker(Endpoints endpoints, List<String> settings) throws IOException {
        this.settings = BrokerUnderTest.settings(name, endpoints, settings.toArray(String[]::new));
        this.process = started();
        FailureReport.add(this, () -> "the broker of process " + process.pid() + " wrote:\n" + latestOutput());
    }

    /** Returns the latest output instead of metrics, which only administrators can read. */
    private String latestOutput() {
        String output = process.output() + process.errors();
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
        return new KillableBroker(endpoints, further);
    }

    private BrokerProcess started() throws IOException {
        BrokerProcess starting = BrokerProcess.withoutServers(settings);
        boolean complete = false;
        try {
            starting.awaitReady();
            complete = true;
            return starting;
        } finally {
            if (!complete) {
                starting.close();
            }
        }
    }

    int mqttPort() {
        return process.mqttPort();
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
        process.kill();
        awaitEnd();
    }

    /** Stops the broker with TERM; returns when it has ended. */
    void stop() throws Exception {
        process.terminate();
        awaitEnd();
    }

    private void awaitEnd() throws InterruptedException {
        process.awaitEnd(DEAD_WITHIN);
        process.close();
    }

    /** Starts the broker again after {@link #kill} or {@link #stop}; returns when it is ready. */
    void restart() throws IOException {
        process = started();
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
            process.close();
        }
    }
}

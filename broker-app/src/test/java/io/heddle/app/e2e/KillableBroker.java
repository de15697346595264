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

/**
 * A broker in a process of its own, so that it can be killed, on servers that outlive it. It is the same node after each restart. One
 * test thread.
 */
final class KillableBroker implements AutoCloseable {
    private static final Duration DEAD_WITHIN = Duration.ofSeconds(20);

    private final List<String> settings;
    private final Set<String> clientIds = new HashSet<>();
    private BrokerProcess process;

    private KillableBroker(List<String> settings) throws IOException {
        this.settings = settings;
        this.process = started();
    }

    /** Starts a broker on the shared servers, but on a Redis that the test has brought. */
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

    /** Starts a broker on servers that the test has brought. */
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

    /** A client of MQTT 5.0 with an id of its own, whose session outlives its connection. */
    RawConnect persistentClient() {
        String clientId = Library.newClientId();
        clientIds.add(clientId);
        return new RawConnect(MqttVersion.MQTT_5, clientId).persistent(3_600);
    }

    /** Connects a client. */
    RawClient open(RawConnect connect) {
        return connect.open(mqttPort());
    }

    /** Publishes a message at QoS 1 with a client that comes and goes for it; the broker has acknowledged it when this returns. */
    void publish(String topic, String payload) {
        try (RawClient publisher = open(new RawConnect(Library.newClientId()))) {
            publisher.publish(topic, payload, 1, 1, false);
            publisher.expect(MqttMessageType.PUBACK);
        }
    }

    /** {@code kill -9}; returns when it is dead. */
    void kill() throws Exception {
        process.kill();
        process.awaitEnd(DEAD_WITHIN);
        process.close();
    }

    /** Tells it to stop, as an operating system does; returns when it has. */
    void stop() throws Exception {
        process.terminate();
        process.awaitEnd(DEAD_WITHIN);
        process.close();
    }

    /** Starts it again after {@link #kill} or {@link #stop}; returns when it is ready. */
    void restart() throws IOException {
        process = started();
    }

    /** Ends the sessions of its clients, which others would find on the shared servers, and the broker. */
    @Override
    public void close() {
        try {
            for (String clientId : clientIds) {
                open(new RawConnect(clientId)).disconnect((byte) 0);
            }
        } finally {
            process.close();
        }
    }
}

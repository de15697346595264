package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.testkit.Conformance;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several connections with one client identifier, on four event loops. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TakeoverIT {
    private static final int SESSION_TAKEN_OVER = 0x8E;

    @AutoClose
    private final BrokerUnderTest broker = BrokerUnderTest.start(
            "--heddle.authentication.anonymous.enabled=true",
            "--heddle.mqtt.event-loops=4",
            "--heddle.session.maximum-queued-messages=10000");

    @Conformance(
            value = {"MQTT-3.1.4-3", "MQTT-3.14.4-2"},
            mqtt311 = "MQTT-3.1.4-2")
    @ParameterizedTest
    @EnumSource
    void oldConnectionReceivesSessionTakenOverAndIsClosed(MqttVersion version) {
        RawConnect connect = new RawConnect(version, Library.newClientId());
        double takenOver = broker.count("heddle.sessions.taken.over");
        try (RawClient old = connect.open(broker.mqttPort());
                RawClient fresh = connect.open(broker.mqttPort())) {
            int expected = version == MqttVersion.MQTT_5 ? SESSION_TAKEN_OVER : RawClient.NO_REASON;
            assertThat(old.closedBecause()).isEqualTo(expected);
            assertThat(fresh.messagesUntilPing()).isEmpty();
        }
        assertThat(broker.count("heddle.sessions.taken.over")).isEqualTo(takenOver + 1);
    }

    @Conformance({"MQTT-3.1.2-5", "MQTT-3.1.3-2", "MQTT-3.1.4-3"})
    @ParameterizedTest
    @EnumSource
    void anotherLibraryTakesOverThePersistentSession(Library library) throws Exception {
        String topic = "inherited/" + library;
        String clientId = Library.newClientId();
        RawConnect connect = new RawConnect(clientId).persistent(3_600);
        try (RawClient old = connect.open(broker.mqttPort()).subscribe(topic, 1);
                LibraryClient heir = library.client(broker.mqttPort(), clientId);
                LibraryClient publisher = Library.HIVEMQ_5.connected(broker.mqttPort())) {
            publisher.publish(topic, "unacknowledged", 1);
            assertThat(old.message().payload()).isEqualTo("unacknowledged");

            heir.connect(Connecting.persistently());
            publisher.publish(topic, "later", 1);

            Soon.until(() -> heir.received().size() >= 2);
            assertThat(heir.payloads()).containsExactly("unacknowledged", "later");
            assertThat(old.closedBecause()).isEqualTo(SESSION_TAKEN_OVER);
            // Libraries acknowledge after delivery, and unacknowledged messages stay in the session.
            Soon.until(() -> broker.gauge("heddle.messages.in.flight") == 0);
        }
    }

    /** The result of one of many connections. */
    private record Seen(boolean survived, List<RawPublish> messages) {}

    @Conformance({"MQTT-3.1.4-3", "MQTT-4.4.0-1"})
    @Test
    void concurrentTakeoversLeaveOneConnectionAndLoseNoMessage() throws Exception {
        int connections = 100;
        int messages = 300;
        String clientId = Library.newClientId();
        RawConnect connect = new RawConnect(clientId).persistent(3_600);
        try (RawClient before = connect.open(broker.mqttPort())) {
            before.subscribe("contested", 1);
        }
        Soon.until(() -> !broker.isConnected(clientId));

        CyclicBarrier start = new CyclicBarrier(connections + 1);
        List<Future<Seen>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                LibraryClient publisher = Library.HIVEMQ_5.connected(broker.mqttPort())) {
            for (int i = 0; i < connections; i++) {
                all.add(threads.submit(() -> {
                    start.await(60, TimeUnit.SECONDS);
                    return contend(new RawConnect(clientId).persistent(3_600).open(broker.mqttPort()));
                }));
            }
            start.await(60, TimeUnit.SECONDS);
            for (int i = 0; i < messages; i++) {
                publisher.publish("contested", Integer.toString(i), 1);
            }
            // All other connections have ended; the survivor reads until it receives this message.
            Soon.until(() -> all.stream().filter(Future::isDone).count() == connections - 1);
            publisher.publish("contested", "end", 1);

            Set<Integer> got = new HashSet<>();
            Set<Integer> first = new HashSet<>();
            int survivors = 0;
            for (Future<Seen> each : all) {
                Seen seen = each.get(60, TimeUnit.SECONDS);
                survivors += seen.survived() ? 1 : 0;
                List<Integer> numbers = new ArrayList<>();
                for (RawPublish message : seen.messages()) {
                    int number = Integer.parseInt(message.payload());
                    numbers.add(number);
                    if (!message.duplicate()) {
                        assertThat(first.add(number))
                                .as("sent as new once: %s", number)
                                .isTrue();
                    }
                }
                assertThat(numbers).isSorted().doesNotHaveDuplicates();
                got.addAll(numbers);
            }
            assertThat(survivors).isOne();
            assertThat(got).containsAll(IntStream.range(0, messages).boxed().toList());
        }
        assertThat(broker.hasSession(clientId)).isTrue();
        Soon.until(() -> broker.gauge("heddle.sessions.connected") == 0);
        assertThat(broker.gauge("heddle.messages.in.flight")).isZero();
        assertThat(broker.gauge("heddle.messages.queued")).isZero();
    }

    /** Acknowledges messages until the last one, or until another connection takes over. */
    private static Seen contend(RawClient client) {
        List<RawPublish> messages = new ArrayList<>();
        try (client) {
            while (true) {
                MqttMessage packet = client.next();
                if (packet.fixedHeader().messageType() == MqttMessageType.DISCONNECT) {
                    return new Seen(false, messages);
                }
                RawPublish message = RawPublish.of((MqttPublishMessage) packet);
                client.answer(PUBACK, message.packetId());
                if (message.payload().equals("end")) {
                    client.disconnect((byte) 0);
                    client.closedBecause();
                    return new Seen(true, messages);
                }
                messages.add(message);
            }
        } catch (IOException e) {
            throw new AssertionError("closed without DISCONNECT", e);
        }
    }
}

package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PayloadFormatIndicator;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.heddle.core.testkit.Conformance;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttPublishVariableHeader;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Delivery options of a client, and deliveries to a client that does not keep up. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FlowIT {
    private static final String LARGE = "x".repeat(10_000);
    private static final int FLOODED_TOPICS = 50;
    /** The longest wait for PUBACK during a flood. A transaction of Kafka may take a second on a busy machine. */
    private static final Duration SOON = Duration.ofSeconds(10);
    /** One second and the rounding to milliseconds. */
    private static final long LIFETIME_OF_SHORT_NANOS = 1_002_000_000L;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private HiveMq5Client publisher;

    @BeforeAll
    void startBroker() {
        broker = BrokerUnderTest.start(
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.mqtt.event-loops=2",
                "--heddle.kafka.pending-limit=1MB",
                "--heddle.session.maximum-in-flight=2000",
                "--heddle.session.maximum-queued-messages=10000",
                "--heddle.session.maximum-queued-bytes=64MB");
        publisher = new HiveMq5Client(broker.mqttPort(), Library.newClientId());
        publisher.connect(Connecting.clean());
    }

    @AfterAll
    void stopBroker() {
        publisher.close();
        broker.close();
    }

    /** Acknowledgements that belong to an earlier test would count in this one. */
    @BeforeEach
    void waitForTheClientsOfEarlierTests() {
        broker.awaitConnected(1);
    }

    private RawClient raw() {
        return new RawConnect(Library.newClientId()).open(broker.mqttPort());
    }

    @Conformance({
        "MQTT-3.3.2-4",
        "MQTT-3.3.2-6",
        "MQTT-3.3.2-15",
        "MQTT-3.3.2-16",
        "MQTT-3.3.2-17",
        "MQTT-3.3.2-18",
        "MQTT-3.3.2-20"
    })
    @Test
    void publishPropertiesReachAnMqtt5Subscriber() throws Exception {
        Mqtt5BlockingClient client = publisher.library();
        try (Mqtt5BlockingClient.Mqtt5Publishes publishes = client.publishes(MqttGlobalPublishFilter.ALL)) {
            client.subscribeWith().topicFilter("properties").send();
            long sentNanos = System.nanoTime();
            client.publishWith()
                    .topic("properties")
                    .payload("p".getBytes(UTF_8))
                    .payloadFormatIndicator(Mqtt5PayloadFormatIndicator.UTF_8)
                    .contentType("text/plain")
                    .responseTopic("answers")
                    .correlationData(new byte[] {1, 2})
                    .messageExpiryInterval(1_000)
                    .userProperties()
                    .add("k", "1")
                    .add("k", "2")
                    .applyUserProperties()
                    .send();

            Optional<Mqtt5Publish> received = publishes.receive(60, TimeUnit.SECONDS);
            // The broker's clock has a resolution of milliseconds.
            Duration aged = Duration.ofNanos(System.nanoTime() - sentNanos).plusMillis(2);

            assertThat(received).hasValueSatisfying(message -> {
                assertThat(message.getContentType()).hasToString("Optional[text/plain]");
                assertThat(message.getResponseTopic()).hasToString("Optional[answers]");
                assertThat(message.getPayloadFormatIndicator()).contains(Mqtt5PayloadFormatIndicator.UTF_8);
                assertThat(message.getCorrelationData()).contains(ByteBuffer.wrap(new byte[] {1, 2}));
                assertThat(message.getUserProperties().asList())
                        .extracting(property -> property.getName() + "=" + property.getValue())
                        .containsExactly("k=1", "k=2");
                assertThat(message.getMessageExpiryInterval().orElseThrow())
                        .isBetween(1_000 - aged.toSeconds(), 1_000L);
            });
        }
    }

    @Conformance({"MQTT-3.3.2-5", "MQTT-3.3.2-6", "MQTT-3.12.4-1"})
    @Test
    void messageExpiresWhileItsSubscriberIsAway() {
        RawConnect connect = new RawConnect(Library.newClientId()).persistent(3_600);
        connect.open(broker.mqttPort()).subscribe("lifetime", 1).cut();
        Soon.until(() -> !broker.isConnected(connect.clientId()));
        double expired = broker.dropped("expired");

        publishLiving("long", 1_000);
        publishLiving("short", 1);
        // Both messages were acknowledged, so their expiry intervals have begun.
        long acknowledgedNanos = System.nanoTime();
        Soon.until(() -> System.nanoTime() - acknowledgedNanos > LIFETIME_OF_SHORT_NANOS);

        try (RawClient back = connect.open(broker.mqttPort())) {
            RawPublish message = back.message();
            assertThat(message.payload()).isEqualTo("long");
            assertThat(message.expirySeconds()).isBetween(900, 999);
            assertThat(back.messagesUntilPing()).isEmpty();
            assertThat(broker.dropped("expired")).isEqualTo(expired + 1);
        }
    }

    private void publishLiving(String payload, long seconds) {
        publisher
                .library()
                .publishWith()
                .topic("lifetime")
                .payload(payload.getBytes(UTF_8))
                .qos(MqttQos.AT_LEAST_ONCE)
                .messageExpiryInterval(seconds)
                .send();
    }

    @Test
    void stalledQos1SubscriberLosesNothingAndDoesNotSlowOthers() throws Exception {
        int count = 1_500;
        try (RawClient slow = slow().subscribe("slow/1", 1);
                LibraryClient quick = Library.HIVEMQ_311.connected(broker.mqttPort())) {
            quick.subscribe("slow/1", 1);

            for (int i = 0; i < count; i++) {
                publisher.publish("slow/1", i + ":" + LARGE, 1, false);
            }

            // The quick subscriber has received everything, the slow one has read nothing.
            Soon.until(() -> quick.received().size() >= count);
            broker.letLoopsCatchUp();
            assertThat(broker.gauge("heddle.messages.queued")).isPositive();
            List<Integer> numbers = new ArrayList<>();
            while (numbers.size() < count) {
                RawPublish message = slow.message();
                assertThat(message.duplicate()).isFalse();
                numbers.add(number(message));
                slow.answer(PUBACK, message.packetId());
            }
            assertThat(numbers).isEqualTo(IntStream.range(0, count).boxed().toList());
            assertThat(slow.messagesUntilPing()).isEmpty();
        }
        assertThat(broker.gauge("heddle.messages.queued")).isZero();
    }

    @Test
    void qos0MessagesDroppedForAStalledSubscriberAreCounted() throws Exception {
        int count = 1_500;
        double dropped = broker.dropped("slow_consumer");
        double delivered = broker.count("heddle.messages.delivered");
        try (RawClient slow = slow().subscribe("slow/0", 0)) {
            for (int i = 0; i < count; i++) {
                publisher.publish("slow/0", i + ":" + LARGE, 0, false);
            }
            Soon.until(() ->
                    broker.dropped("slow_consumer") - dropped + broker.count("heddle.messages.delivered") - delivered
                            == count);

            List<Integer> numbers =
                    slow.messagesUntilPing().stream().map(FlowIT::number).toList();
            assertThat(numbers).isSorted().doesNotHaveDuplicates();
            assertThat(broker.dropped("slow_consumer")).isGreaterThan(dropped);
            assertThat(numbers.size() + broker.dropped("slow_consumer") - dropped)
                    .isEqualTo(count);
        }
    }

    @Test
    void aFloodOfRetainedMessagesSlowsItsPublisherOnly() throws Exception {
        RawConnect away = new RawConnect(Library.newClientId()).persistent(3_600);
        away.open(broker.mqttPort()).subscribe("steady", 1).cut();
        double refused = broker.dropped("publish_refused_overloaded");
        double paused = broker.count("heddle.publishers.paused");
        try (RawClient flooder = raw();
                RawClient steady = new RawConnect(MqttVersion.MQTT_3_1_1, Library.newClientId())
                        .answersWithin(SOON)
                        .open(broker.mqttPort())) {
            CompletableFuture<Void> flood =
                    CompletableFuture.runAsync(() -> flood(flooder), Thread::startVirtualThread);
            Soon.until(() -> broker.count("heddle.publishers.paused") > paused);

            for (int packetId = 1; packetId <= 100; packetId++) {
                steady.publish("steady", "m", 1, packetId, false);
                assertThat(steady.expect(PUBACK).packetId()).isEqualTo(packetId);
            }

            assertThat(flood).isNotDone();
            assertThat(broker.dropped("publish_refused_overloaded")).isEqualTo(refused);
            assertThat(broker.dropped("append_failed")).isZero();
            flooder.cut();
            assertThat(flood).failsWithin(SOON);
        } finally {
            for (int i = 0; i < FLOODED_TOPICS; i++) {
                publisher.publish("flooded/" + i, "", 1, true);
            }
        }
    }

    /** Publishes until the client is cut. */
    private static void flood(RawClient flooder) {
        byte[] payload = LARGE.substring(0, 1_000).getBytes(UTF_8);
        for (int i = 0; ; i++) {
            flooder.send(new MqttPublishMessage(
                    new MqttFixedHeader(MqttMessageType.PUBLISH, false, MqttQoS.AT_MOST_ONCE, true, 0),
                    new MqttPublishVariableHeader("flooded/" + i % FLOODED_TOPICS, -1),
                    Unpooled.wrappedBuffer(payload)));
        }
    }

    private RawClient slow() {
        return new RawConnect(Library.newClientId()).receiveBufferBytes(4_096).open(broker.mqttPort());
    }

    private static int number(RawPublish message) {
        return Integer.parseInt(message.payload().substring(0, message.payload().indexOf(':')));
    }
}

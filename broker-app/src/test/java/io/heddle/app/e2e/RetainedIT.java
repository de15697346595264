package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5RetainHandling;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Retained messages between library clients. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RetainedIT {
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @BeforeAll
    void startBroker() {
        broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true");
    }

    @AfterAll
    void stopBroker() {
        broker.close();
    }

    private void retain(Library library, String topic, String payload, int qos) throws Exception {
        try (LibraryClient publisher = library.connected(broker.mqttPort())) {
            publisher.publish(topic, payload, qos, true);
        }
    }

    @Conformance(
            value = {"MQTT-3.3.1-5", "MQTT-3.3.1-6", "MQTT-3.3.1-8", "MQTT-3.3.1-9", "MQTT-3.3.1-12", "MQTT-3.8.4-8"},
            mqtt311 = {"MQTT-3.3.1-5", "MQTT-3.3.1-6", "MQTT-3.3.1-8", "MQTT-3.3.1-9", "MQTT-3.3.1-10", "MQTT-3.3.1-12"
            })
    @ParameterizedTest
    @EnumSource
    void subscriberReceivesTheLatestRetainedMessageOfEachTopic(Library library) throws Exception {
        String topics = "last/" + library + "/";
        try (LibraryClient publisher = library.connected(broker.mqttPort());
                LibraryClient subscriber = library.connected(broker.mqttPort())) {
            publisher.publish(topics + "replaced", "old", 1, true);
            publisher.publish(topics + "replaced", "new", 1, true);
            publisher.publish(topics + "replaced", "not retained either", 1, false);
            publisher.publish(topics + "cleared", "gone", 1, true);
            publisher.publish(topics + "cleared", "", 1, true);
            publisher.publish(topics + "never", "not retained", 1, false);
            publisher.publish(topics + "high", "q2", 2, true);

            subscriber.subscribe(topics + "#", 1);
            publisher.publish(topics + "replaced", "live", 1, true);

            Soon.until(() -> subscriber.received().size() >= 3);
            assertThat(subscriber.received())
                    .containsExactlyInAnyOrder(
                            new ReceivedMessage(topics + "replaced", "new", 1, true),
                            new ReceivedMessage(topics + "high", "q2", 1, true),
                            new ReceivedMessage(topics + "replaced", "live", 1, false));
            assertThat(subscriber.payloads().getLast()).isEqualTo("live");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HIVEMQ_311", "PAHO_311", "PAHO_31"})
    void publishesToDollarTopicsAreNotDelivered(Library library) throws Exception {
        double refused = broker.dropped("not_authorized");
        try (LibraryClient client = library.connected(broker.mqttPort())) {
            client.subscribe("#", 1);
            client.publish("$dollar/status", "not taken", 1, true);
            client.publish("no/dollar", "end", 1);

            Soon.until(() -> client.payloads().contains("end"));
            assertThat(client.payloads()).doesNotContain("not taken");
        }
        assertThat(broker.dropped("not_authorized")).isEqualTo(refused + 1);
    }

    @Conformance({"MQTT-3.3.1-9", "MQTT-3.3.1-10", "MQTT-3.3.1-11", "MQTT-3.8.4-4"})
    @Test
    void retainHandlingControlsRetainedDelivery() throws Exception {
        retain(Library.PAHO_311, "handling", "kept", 1);
        try (HiveMq5Client subscriber = new HiveMq5Client(broker.mqttPort(), Library.newClientId())) {
            subscriber.connect(Connecting.clean());
            List<String> expected = new ArrayList<>();

            subscribe(subscriber, Mqtt5RetainHandling.DO_NOT_SEND, false);
            expectUpTo(subscriber, "never", expected);
            subscribe(subscriber, Mqtt5RetainHandling.SEND_IF_SUBSCRIPTION_DOES_NOT_EXIST, false);
            expectUpTo(subscriber, "exists", expected);
            subscribe(subscriber, Mqtt5RetainHandling.SEND, false);
            expected.add("kept");
            expectUpTo(subscriber, "always", expected);
            subscriber.unsubscribe("handling");
            subscribe(subscriber, Mqtt5RetainHandling.SEND_IF_SUBSCRIPTION_DOES_NOT_EXIST, false);
            expected.add("kept");
            expectUpTo(subscriber, "new", expected);
        }
    }

    private static void subscribe(HiveMq5Client client, Mqtt5RetainHandling handling, boolean retainAsPublished) {
        client.library()
                .subscribeWith()
                .topicFilter("handling")
                .qos(MqttQos.AT_LEAST_ONCE)
                .retainHandling(handling)
                .retainAsPublished(retainAsPublished)
                .send();
    }

    /** Asserts the messages so far, once the last one, which is published after the subscription, has arrived. */
    private static void expectUpTo(HiveMq5Client client, String last, List<String> expected) throws Exception {
        client.publish("handling", last, 1);
        expected.add(last);
        Soon.until(() -> client.payloads().contains(last));
        assertThat(client.payloads()).isEqualTo(expected);
    }

    @Conformance({"MQTT-3.3.1-12", "MQTT-3.3.1-13"})
    @Test
    void retainAsPublishedKeepsTheFlagOfALiveMessage() throws Exception {
        try (HiveMq5Client subscriber = new HiveMq5Client(broker.mqttPort(), Library.newClientId())) {
            subscriber.connect(Connecting.clean());
            subscribe(subscriber, Mqtt5RetainHandling.DO_NOT_SEND, true);

            subscriber.publish("handling", "retained", 1, true);
            subscriber.publish("handling", "plain", 1, false);
            subscribe(subscriber, Mqtt5RetainHandling.DO_NOT_SEND, false);
            subscriber.publish("handling", "flag taken off", 1, true);

            Soon.until(() -> subscriber.received().size() >= 3);
            assertThat(subscriber.received())
                    .containsExactly(
                            new ReceivedMessage("handling", "retained", 1, true),
                            new ReceivedMessage("handling", "plain", 1, false),
                            new ReceivedMessage("handling", "flag taken off", 1, false));
        }
    }

    @Conformance("MQTT-3.3.2-6")
    @Test
    void retainedMessageReportsItsRemainingTimeAndExpires() {
        try (HiveMq5Client publisher = new HiveMq5Client(broker.mqttPort(), Library.newClientId())) {
            publisher.connect(Connecting.clean());
            Living lasting = retainLiving(publisher, "living/lasting", 1_000);
            Living brief = retainLiving(publisher, "living/brief", 2);

            Soon.until(() -> secondsLeft(lasting) < 1_000);
            Soon.until(() -> secondsLeft(brief) == 0);
        }
    }

    /** A retained message; its expiry interval began between the two moments. */
    private record Living(String topic, int seconds, long sentNanos, long acknowledgedNanos) {
        /** The broker's clock has a resolution of milliseconds. */
        private static final long ROUNDING_NANOS = 2_000_000;

        /** Returns the least number of remaining seconds, rounded up. */
        int leastLeft(long nowNanos) {
            return left(nowNanos - sentNanos + ROUNDING_NANOS);
        }

        int mostLeft(long nowNanos) {
            return Math.min(seconds, left(nowNanos - acknowledgedNanos - ROUNDING_NANOS));
        }

        private int left(long agedNanos) {
            long leftNanos = Duration.ofSeconds(seconds).toNanos() - agedNanos;
            return (int)
                    Math.max(0, Math.ceilDiv(leftNanos, Duration.ofSeconds(1).toNanos()));
        }
    }

    private static Living retainLiving(HiveMq5Client publisher, String topic, int seconds) {
        long sentNanos = System.nanoTime();
        publisher
                .library()
                .publishWith()
                .topic(topic)
                .payload(new byte[] {'x'})
                .qos(MqttQos.AT_LEAST_ONCE)
                .retain(true)
                .messageExpiryInterval(seconds)
                .send();
        return new Living(topic, seconds, sentNanos, System.nanoTime());
    }

    /** Returns and checks the Message Expiry Interval that a new subscriber receives; 0 if the message has expired. */
    private int secondsLeft(Living message) {
        long askedNanos = System.nanoTime();
        List<RawPublish> found = retained(message.topic());
        long answeredNanos = System.nanoTime();
        assertThat(found).hasSizeLessThanOrEqualTo(1);
        int left = found.isEmpty() ? 0 : found.getFirst().expirySeconds();
        assertThat(left).isBetween(message.leastLeft(answeredNanos), message.mostLeft(askedNanos));
        return left;
    }

    private List<RawPublish> retained(String topic) {
        try (RawClient looking = new RawConnect(Library.newClientId()).open(broker.mqttPort())) {
            return looking.subscribe(topic, 0).messagesUntilPing();
        }
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void slowSubscriberReceivesAllRetainedMessages() throws Exception {
        int count = 2_000;
        String payload = "x".repeat(1_000);
        try (HiveMq5Client publisher = new HiveMq5Client(broker.mqttPort(), Library.newClientId())) {
            publisher.connect(Connecting.clean());
            for (int i = 0; i < count; i++) {
                publisher.publish("many/" + i, payload, 1, true);
            }
        }

        // The client reads one message at a time from a small receive buffer.
        try (RawClient slow = new RawConnect(Library.newClientId())
                .receiveMaximum(5)
                .receiveBufferBytes(8_192)
                .open(broker.mqttPort())
                .subscribe("many/+", 1)) {
            List<String> topics = new ArrayList<>();
            while (topics.size() < count) {
                RawPublish message = slow.message();
                assertThat(message.retain()).isTrue();
                topics.add(message.topic());
                slow.answer(PUBACK, message.packetId());
            }
            assertThat(topics).doesNotHaveDuplicates();
            assertThat(slow.messagesUntilPing()).isEmpty();
        }
    }
}

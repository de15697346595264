package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.testkit.Conformance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Retained messages between library clients. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RetainedIT {
    @AutoClose
    private final BrokerUnderTest broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true");

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

package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.standalone.testkit.TestServers;
import io.netty.handler.codec.mqtt.MqttMessageType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the events of clients from Kafka, as another program would. */
final class EventsIT {
    private static final Logger log = LoggerFactory.getLogger(EventsIT.class);
    private static final String TOPIC = "heddle.events";
    private static final int PARTITIONS = 4;
    private static final int LEAST_BYTES = 150;
    private static final int MOST_BYTES = 400;
    private static final String SECRET = "events/secret";

    private static BrokerUnderTest broker;

    @BeforeAll
    static void start() throws Exception {
        broker = BrokerUnderTest.start(
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.events.kinds=connected,disconnected,refused,session_ended,subscriptions_changed,denied,dropped");
        broker.replaceRules("default allow\ndeny publish " + SECRET + " for everyone");
    }

    @AfterAll
    static void stop() throws Exception {
        try {
            // Other tests use the same servers.
            broker.replaceRules("default allow");
        } finally {
            broker.close();
        }
    }

    private static List<JsonNode> events(String clientId) {
        return values(clientId).stream().map(JsonMapper.shared()::readTree).toList();
    }

    /** Reads the topic to its end. */
    private static List<byte[]> values(String clientId) {
        List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
                .mapToObj(each -> new TopicPartition(TOPIC, each))
                .toList();
        List<byte[]> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                TestServers.kafkaClient(TestServers.shared(), Map.of()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(each -> consumer.position(each.getKey()) < each.getValue())) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofSeconds(1))) {
                    if (each.key() != null && new String(each.key(), UTF_8).equals(clientId)) {
                        found.add(each.value());
                    }
                }
            }
        }
        return found;
    }

    private static String described(JsonNode event) {
        return event.path("event").asString() + " "
                + event.path("change").asString(event.path("refused").asString("")) + " "
                + event.path("reason").asString("");
    }

    @Test
    void aProgramReadsWhatHappensToAClient() throws Exception {
        RawConnect connect =
                new RawConnect(Library.newClientId()).persistent(60).maximumPacketSize(300);
        String clientId = connect.clientId();
        double dropped = broker.dropped("packet_too_large");
        try (RawClient client = connect.open(broker.mqttPort()).subscribe("events/" + clientId, 0)) {
            client.publish(SECRET, "x", 1, 5, false);
            client.expect(MqttMessageType.PUBACK);
            broker.publish("events/" + clientId, "x".repeat(500), 1);
            Soon.until(() -> broker.dropped("packet_too_large") > dropped);
            client.leave();
        }
        new RawConnect(clientId).open(broker.mqttPort()).leave();

        Soon.untilAsserted(() -> {
            List<JsonNode> events = events(clientId);
            assertThat(events.stream().map(EventsIT::described))
                    .containsExactlyInAnyOrder(
                            "connected  ",
                            "subscriptions_changed subscribed ",
                            "denied PUBLISH not_authorized",
                            "dropped  packet_too_large",
                            "disconnected  disconnect_packet",
                            "session_ended  clean_start",
                            "connected  ",
                            "disconnected  disconnect_packet");
            assertThat(events).allSatisfy(each -> {
                assertThat(each.path("version").asInt()).isEqualTo(1);
                assertThat(each.path("node").asString()).startsWith("test-");
                assertThat(each.path("clientId").asString()).isEqualTo(clientId);
            });
            assertThat(events.getFirst().path("sessionExpirySeconds").asInt()).isEqualTo(60);
        });
        assertSizes(clientId);
    }

    /** The figures of docs/events.md. */
    private static void assertSizes(String clientId) {
        Map<String, Integer> sizes = new TreeMap<>();
        for (byte[] each : values(clientId)) {
            sizes.put(JsonMapper.shared().readTree(each).path("event").asString(), each.length);
        }
        log.info("Bytes of events without their key, which is {}: {}", clientId, sizes);
        assertThat(sizes.values()).allSatisfy(each -> assertThat(each).isBetween(LEAST_BYTES, MOST_BYTES));
    }
}

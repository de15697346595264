package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.operator.store.LogPartition;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.transaction.HangingTransactionFactory;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.codec.mqtt.MqttConnectReturnCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The marker of a transaction is missing in the log of a bucket, while the transaction's coordinator has completed it. The test has its own servers,
 * because such a transaction stops each broker on them.
 */
@Tag("ci")
final class BlockedBucketIT {
    private static final Duration READY = Duration.ofMinutes(2);
    private static final int BUCKETS = 16;
    private static final int MESSAGES = 20;
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    @TempDir
    static Path directory;

    private static Servers servers;
    private static BrokerUnderTest broker;
    private static RestAdministrator administrator;
    private static KafkaCluster kafka;
    private static HangingTransactionFactory factory;

    /** Of one bucket. */
    private final RawConnect connected = subscriber(Library.newClientId());

    private final RawConnect away = subscriber(Stream.generate(Library::newClientId)
            .filter(each -> bucket(each) == bucket(connected.clientId()))
            .findFirst()
            .orElseThrow());
    private final LogPartition log = new LogPartition(KafkaTopics.BUCKETS, bucket(connected.clientId()));
    private final String topic = Library.newClientId();

    @BeforeAll
    static void start() throws Exception {
        servers = Servers.builder(directory).tuning(Tuning.TESTS).start();
        servers.awaitReady(READY);
        broker = BrokerUnderTest.startOn(
                servers.endpoints(),
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.buckets.count=" + BUCKETS);
        administrator = new RestAdministrator(broker);
        kafka = KafkaCluster.open(
                new KafkaSettings(
                        servers.endpoints().kafkaBootstrapServers(),
                        READY,
                        1,
                        BUCKETS,
                        KafkaSettings.DEFAULT_BUCKET_LOG_BYTES,
                        servers.endpoints().kafkaSecurity()),
                new SimpleMeterRegistry());
        factory = new HangingTransactionFactory(kafka);
    }

    @AfterAll
    static void stop() throws Exception {
        try {
            factory.close();
            kafka.close();
            administrator.close();
            broker.close();
        } finally {
            servers.close();
        }
    }

    private static RawConnect subscriber(String clientId) {
        return new RawConnect(clientId).persistent(3_600);
    }

    private static int bucket(String clientId) {
        return new Buckets(BUCKETS).of(new ClientId(clientId));
    }

    @Test
    void theMessagesOfATransactionThatKafkaHasCommittedArriveInTheirPlaces() throws Exception {
        double repaired = broker.count("heddle.transactions.repaired", "outcome", "committed");
        long producer = 1L << 40;
        away.open(broker.mqttPort()).subscribe(topic, 1).leave();
        try (RawClient subscribed = connected.open(broker.mqttPort()).subscribe(topic, 1);
                RawClient publisher = new RawConnect(Library.newClientId()).open(broker.mqttPort())) {
            factory.append(log, producer, 0, secondMessage(publisher, subscribed));
            publishFurther(publisher);
            assertThat(subscribed.packetsUntilPing()).isEmpty();

            factory.end("heddle-9-00000001-0", log, producer, true);

            assertThat(subscribed.take(MESSAGES - 1))
                    .extracting(RawPublish::payload)
                    .containsExactlyElementsOf(further());
            expectAcknowledgements(publisher);
            expectAllMessages(away);
            assertThat(broker.count("heddle.transactions.repaired", "outcome", "committed"))
                    .isEqualTo(repaired + 1);
            subscribed.disconnect((byte) 0);
        }
    }

    @Test
    void aBucketStaysBlockedUntilAPersonDecidesWhatIsNotProven() throws Exception {
        away.open(broker.mqttPort()).subscribe(topic, 1).leave();
        try (RawClient subscribed = connected.open(broker.mqttPort()).subscribe(topic, 1);
                RawClient publisher = new RawConnect(Library.newClientId()).open(broker.mqttPort())) {
            long producer = factory.completed(Library.newClientId());
            factory.append(log, producer, 0, secondMessage(publisher, subscribed));
            publishFurther(publisher);

            Soon.until(() -> broker.gauge("heddle.transactions.hanging") == 1);
            assertThat(health()).isEqualTo(UNAVAILABLE);
            Soon.untilAsserted(() -> {
                JsonNode cluster = administrator.get("/api/v1/cluster");
                assertThat(cluster.path("steady").booleanValue()).isFalse();
                assertThat(cluster.path("obstacles").toString())
                        .contains("Kafka has lost the marker of a transaction in " + log)
                        .contains("its outcome is not proven");
            });
            Soon.until(() -> blockReason().contains("its outcome is not proven"));
            assertThat(catchThrowableOfType(RefusedConnect.class, () -> away.open(broker.mqttPort()))
                            .code())
                    .isEqualTo(MqttConnectReturnCode.CONNECTION_REFUSED_SERVER_UNAVAILABLE_5);
            assertThat(subscribed.packetsUntilPing()).isEmpty();

            administrator.command(
                    "stores",
                    "end-transaction",
                    log.topic(),
                    Integer.toString(log.partition()),
                    Long.toString(producer),
                    "--outcome",
                    "committed");

            assertThat(subscribed.take(MESSAGES - 1))
                    .extracting(RawPublish::payload)
                    .containsExactlyElementsOf(further());
            expectAcknowledgements(publisher);
            expectAllMessages(away);
            Soon.until(() -> broker.gauge("heddle.transactions.hanging") == 0);
            assertThat(health()).isEqualTo(OK);
            Soon.until(() -> administrator.get("/api/v1/cluster").path("steady").booleanValue()
                    && blockReason().isEmpty());
            subscribed.disconnect((byte) 0);
        }
    }

    private static int health() throws Exception {
        return BrokerProcess.statusOf(broker.httpPort(), "/actuator/health/readiness");
    }

    private String blockReason() throws Exception {
        return administrator
                .get("/api/v1/buckets?limit=" + BUCKETS)
                .path("items")
                .path(log.partition())
                .path("blocked")
                .asString("");
    }

    private List<String> further() {
        return IntStream.rangeClosed(2, MESSAGES)
                .mapToObj(each -> "message " + each)
                .toList();
    }

    /** Publishes the first message, and returns its record with the payload of the second one. */
    private byte[] secondMessage(RawClient publisher, RawClient subscribed) {
        publisher.publish(topic, "message 1", 1, 1, false);
        publisher.expect(PUBACK);
        assertThat(subscribed.take(1)).extracting(RawPublish::payload).containsExactly("message 1");
        String record = new String(lastRecord(), ISO_8859_1);
        assertThat(record).contains("message 1");
        return record.replace("message 1", "message 2").getBytes(ISO_8859_1);
    }

    private byte[] lastRecord() {
        TopicPartition partition = new TopicPartition(log.topic(), log.partition());
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                TestServers.kafkaClient(servers.endpoints(), Map.of()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            byte[] last = null;
            while (last == null) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(READY)) {
                    last = each.value();
                }
            }
            return last;
        }
    }

    private void publishFurther(RawClient publisher) {
        for (int i = 3; i <= MESSAGES; i++) {
            publisher.publish(topic, "message " + i, 1, i, false);
        }
    }

    private static void expectAcknowledgements(RawClient publisher) {
        for (int i = 3; i <= MESSAGES; i++) {
            assertThat(publisher.expect(PUBACK).packetId()).isEqualTo(i);
        }
    }

    private void expectAllMessages(RawConnect client) {
        RawClient back = client.open(broker.mqttPort());
        assertThat(back.take(MESSAGES))
                .extracting(RawPublish::payload)
                .containsExactlyElementsOf(Stream.concat(Stream.of("message 1"), further().stream())
                        .toList());
        assertThat(back.packetsUntilPing()).isEmpty();
        back.disconnect((byte) 0);
    }
}

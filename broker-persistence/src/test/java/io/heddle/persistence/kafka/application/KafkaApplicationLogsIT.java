package io.heddle.persistence.kafka.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.testkit.ApplicationLogsContract;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.RecordingOutcome;
import io.heddle.persistence.LogCapture;
import io.heddle.persistence.TestSettings;
import io.heddle.persistence.kafka.ApplicationLogSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.log.FreshLogs;
import io.heddle.persistence.kafka.read.LogOffsets;
import io.heddle.persistence.record.ApplicationRecordFormat;
import io.heddle.standalone.testkit.TestServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KafkaApplicationLogsIT extends ApplicationLogsContract {
    private static final long MEBIBYTE = 1 << 20;

    @AutoClose
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private static FreshLogs fresh;

    @BeforeAll
    static void open() throws Exception {
        fresh = new FreshLogs(
                TestServers.shared(),
                1,
                TestSettings.PENDING_LIMIT_BYTES,
                new ApplicationLogSettings(4 * MEBIBYTE, Duration.ofSeconds(1), Duration.ofSeconds(1), 1));
    }

    @Override
    protected ApplicationLogs logs() {
        return fresh.logs.applications();
    }

    @Override
    protected void append(List<ToApplication> appends) throws Exception {
        fresh.append(appends);
    }

    @Override
    protected void commit(List<ToApplication> appends) throws Exception {
        RecordingOutcome outcome = new RecordingOutcome();
        List<LogAppend> all = new ArrayList<>(appends);
        all.add(new ToBucket(0, new InboundReceived(new ClientId("publisher"), 1, 1, PublishMessages.NAME)));
        fresh.logs.messages().commit(all, new OrderFence(), outcome);
        assertThat(outcome.await()).isNull();
    }

    @Test
    void anyConsumerReadsTopicNameAndPayload() throws Exception {
        ClientId app = client("app");
        created(app, 5);
        double appended = fresh.count("heddle.applications.appended");
        append(List.of(append(app, 5, "21.5")));

        List<ConsumerRecord<byte[], byte[]>> records = fresh.records(KafkaTopics.application(app), 0);
        assertThat(records).hasSize(1);
        ConsumerRecord<byte[], byte[]> record = records.getFirst();
        assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo("plant/1/temperature");
        assertThat(new String(record.value(), StandardCharsets.UTF_8)).isEqualTo("21.5");
        assertThat(record.headers()).hasSize(1);
        assertThat(record.headers().lastHeader(ApplicationRecordFormat.HEADER)).isNotNull();
        assertThat(fresh.count("heddle.applications.appended")).isEqualTo(appended + 1);
        assertThat(fresh.registry.find("heddle.kafka.append").timers())
                .as("no metric has the name of a client")
                .allMatch(timer -> !String.valueOf(timer.getId().getTag("log")).startsWith("heddle.app."));
    }

    @Test
    void abortedRecordsAreNeverRead() throws Exception {
        ClientId app = client("app");
        long first = created(app, 5);
        append(List.of(append(app, 5, "before")));
        try (Producer<byte[], byte[]> other =
                fresh.producer("another", Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "another-" + app))) {
            other.initTransactions();
            other.beginTransaction();
            ProducerRecord<byte[], byte[]> aborted =
                    new ProducerRecord<>(KafkaTopics.application(app), 0, new byte[] {'a'}, new byte[] {'x'});
            aborted.headers().add(ApplicationRecordFormat.HEADER, ApplicationRecordFormat.header(append(app, 5, "x")));
            other.send(aborted).get();
            other.abortTransaction();
        }
        append(List.of(append(app, 5, "after")));

        Reader reader = new Reader();
        logs().read(app, 5, first, reader);
        reader.await("before", "after");
        assertThat(reader.messages().getFirst().sequence()).isEqualTo(first);
        // The transaction marker takes an offset too, and Kafka may write it after its answer.
        assertThat(reader.messages().getLast().sequence()).isIn(first + 2, first + 3);
    }

    @Test
    void oneConsumerServesManyClients() throws Exception {
        int count = 30;
        List<ClientId> apps = new ArrayList<>();
        List<CompletableFuture<Long>> creations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ClientId app = client("app-" + i);
            apps.add(app);
            creations.add(logs().create(app, 5).toCompletableFuture());
        }
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            assertThat(creations.get(i)).succeedsWithin(PATIENCE);
            Reader reader = new Reader();
            readers.add(reader);
            logs().read(apps.get(i), 5, 0, reader);
        }
        List<ToApplication> appends = new ArrayList<>();
        for (int round = 0; round < 10; round++) {
            for (ClientId app : apps) {
                appends.add(append(app, 5, app.value() + " " + round));
            }
        }
        append(appends);

        for (int i = 0; i < count; i++) {
            String app = apps.get(i).value();
            String[] expected = new String[10];
            for (int round = 0; round < 10; round++) {
                expected[round] = app + " " + round;
            }
            readers.get(i).await(expected);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("heddle-applications-"))
                .hasSize(1);
    }

    @Test
    void acknowledgedRecordsAreDeletedAfterAWhile() throws Exception {
        ClientId app = client("app");
        created(app, 5);
        append(List.of(append(app, 5, "a"), append(app, 5, "b"), append(app, 5, "c")));
        TopicPartition partition = new TopicPartition(KafkaTopics.application(app), 0);
        LogOffsets offsets = new LogOffsets(fresh.cluster.admin());
        logs().acknowledged(app, 4, 3);
        logs().acknowledged(app, 5, 2);

        await().atMost(PATIENCE)
                .until(() -> offsets.beginnings(List.of(partition))
                                .toCompletableFuture()
                                .get()
                                .getFirst()
                        == 2);
        Reader reader = new Reader();
        logs().read(app, 5, 2, reader);
        reader.await("c");
    }

    private static Map<TopicPartition, OffsetAndMetadata> groupOffsets() throws Exception {
        return fresh.cluster
                .admin()
                .listConsumerGroupOffsets(ApplicationGroup.ID)
                .partitionsToOffsetAndMetadata()
                .get();
    }

    @Test
    void kafkasToolsSeeTheOffsetOfEachClient() throws Exception {
        ClientId app = client("app");
        long first = created(app, 5);
        TopicPartition partition = new TopicPartition(KafkaTopics.application(app), 0);
        append(List.of(append(app, 5, "a"), append(app, 5, "b"), append(app, 5, "c")));
        logs().acknowledged(app, 5, first + 2);
        logs().acknowledged(app, 4, first + 3);

        await().atMost(PATIENCE)
                .until(() ->
                        new OffsetAndMetadata(first + 2).equals(groupOffsets().get(partition)));
    }

    @Test
    void rejectedOffsetCommitsAreRetried() throws Exception {
        ClientId app = client("app");
        long first = created(app, 5);
        TopicPartition partition = new TopicPartition(KafkaTopics.application(app), 0);
        append(List.of(append(app, 5, "a"), append(app, 5, "b")));
        Map<String, Object> properties = fresh.settings.clientProperties("intruder");
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, ApplicationGroup.ID);
        try (LogCapture log = LogCapture.of(ApplicationGroup.class);
                KafkaConsumer<byte[], byte[]> intruder =
                        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            intruder.subscribe(List.of(KafkaTopics.PROGRESS));
            await().atMost(PATIENCE).until(() -> {
                intruder.poll(Duration.ofMillis(100));
                return !intruder.assignment().isEmpty();
            });
            double failed = fresh.count("heddle.applications.offsets", "outcome", "failed");
            logs().acknowledged(app, 5, first + 1);
            await().atMost(PATIENCE).until(() -> {
                intruder.poll(Duration.ofMillis(100));
                return fresh.count("heddle.applications.offsets", "outcome", "failed") >= failed + 2;
            });
            assertThat(log.events())
                    .singleElement()
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .asString()
                    .contains("rejects offset commits of group " + ApplicationGroup.ID);
            assertThat(groupOffsets()).doesNotContainEntry(partition, new OffsetAndMetadata(first + 1));
        }

        await().atMost(PATIENCE)
                .until(() ->
                        new OffsetAndMetadata(first + 1).equals(groupOffsets().get(partition)));
    }

    @Test
    void aSlowClientLosesItsOldestMessagesAndTheyAreCounted() throws Exception {
        ClientId app = client("app");
        created(app, 5);
        append(List.of(append(app, 5, "first"), append(app, 5, "second")));
        // As Kafka does with a log that exceeds its size.
        fresh.cluster
                .admin()
                .deleteRecords(
                        Map.of(new TopicPartition(KafkaTopics.application(app), 0), RecordsToDelete.beforeOffset(1)))
                .all()
                .get();
        double dropped = fresh.count("heddle.messages.dropped", "reason", "log_full");

        Reader reader = new Reader();
        logs().read(app, 5, 0, reader);
        reader.await("second");
        assertThat(fresh.count("heddle.messages.dropped", "reason", "log_full")).isEqualTo(dropped + 1);
    }

    @Test
    void aForeignRecordStopsOnlyItsClient() throws Exception {
        ClientId broken = client("broken");
        ClientId other = client("other");
        created(broken, 5);
        created(other, 5);
        try (Producer<byte[], byte[]> foreign = fresh.producer("foreign", Map.of())) {
            foreign.send(new ProducerRecord<>(KafkaTopics.application(broken), 0, new byte[] {'a'}, new byte[0]))
                    .get();
        }
        append(List.of(append(other, 5, "a")));
        Reader stopped = new Reader();
        Reader resumed = new Reader();
        try (LogCapture capture = LogCapture.of(ApplicationConsumer.class)) {
            logs().read(broken, 5, 0, stopped);
            logs().read(other, 5, 0, resumed);
            resumed.await("a");
            await().atMost(PATIENCE).until(() -> stopped.lost() != null);
            assertThat(capture.events())
                    .anyMatch(event -> event.getFormattedMessage().contains("no header heddle"));
        }
        assertThat(stopped.lost())
                .contains(KafkaTopics.application(broken), "no header heddle", "if another build wrote it");
    }

    @Test
    void aRecreatedLogStopsItsClient() throws Exception {
        ClientId app = client("app");
        created(app, 5);
        Reader reader = new Reader();
        logs().read(app, 5, 500, reader);

        await().atMost(PATIENCE).until(() -> reader.lost() != null);
        assertThat(reader.lost()).contains("ends before offset 500");
        assertThat(logs().take(0, Map.of(app, 5L)).toCompletableFuture().join()).containsEntry(app, 0L);
    }

    @Test
    void theLagOfConnectedClientsIsMeasured() throws Exception {
        ClientId app = client("app");
        created(app, 5);
        List<ToApplication> appends = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            appends.add(append(app, 5, "x".repeat(1_000)));
        }
        append(appends);
        ApplicationLogs.Reading reading = logs().read(app, 5, 0, new Reader());

        await().atMost(PATIENCE)
                .until(() ->
                        fresh.registry.get("heddle.applications.lag").gauge().value() > 100);
        reading.close();
        await().atMost(PATIENCE)
                .until(() ->
                        fresh.registry.get("heddle.applications.lag").gauge().value() == 0);
    }
}

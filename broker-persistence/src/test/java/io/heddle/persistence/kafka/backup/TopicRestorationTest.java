package io.heddle.persistence.kafka.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.backup.BackupEntry.ApplicationTopic;
import io.heddle.persistence.backup.BackupEntry.Change;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.record.ConditionFormat;
import io.heddle.persistence.record.Golden;
import io.heddle.persistence.record.ProgressFormat;
import io.heddle.persistence.record.RecordReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopicRestorationTest {
    private static final String RETAINED = KafkaTopics.RETAINED;
    private static final UUID LOG_ID = new UUID(1, 2);

    /** Gives the records of each partition the offsets 0, 1, 2 and so on. */
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(Cluster.empty(), true, null, new ByteArraySerializer(), new ByteArraySerializer());

    private static BinaryData data(String text) {
        return BinaryData.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Change change(int partition, long offset, String key, @Nullable ChangeCondition condition) {
        return new Change(
                RETAINED,
                partition,
                offset,
                data(key),
                condition instanceof ChangeCondition.ExpiredBy ? null : data("value of " + key),
                condition == null ? null : BinaryData.wrap(ConditionFormat.encode(condition)));
    }

    private static ChangeCondition condition(ProducerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(ConditionFormat.HEADER);
        return ConditionFormat.read(header == null ? null : new RecordReader(header.value(), () -> "a record"));
    }

    private List<ProducerRecord<byte[], byte[]>> restored(Change... changes) {
        TopicRestoration restoration = new TopicRestoration(RETAINED, producer, Map.of());
        for (Change change : changes) {
            restoration.accept(change);
        }
        assertThat(producer.history()).hasSize((int) restoration.records());
        return producer.history();
    }

    @Test
    void recordsKeepTheirPartitionKeyAndValue() {
        List<ProducerRecord<byte[], byte[]>> records =
                restored(change(3, 1_000, "a", null), change(1, 7, "b", new ChangeCondition.ExpiredBy(5)));

        assertThat(records).extracting(ProducerRecord::partition).containsExactly(3, 1);
        assertThat(records).extracting(ProducerRecord::topic).containsOnly(RETAINED);
        assertThat(records.getFirst().key()).isEqualTo(data("a").array());
        assertThat(records.getFirst().value()).isEqualTo(data("value of a").array());
        assertThat(records.getFirst().headers()).isEmpty();
        assertThat(records.getLast().value()).isNull();
        assertThat(condition(records.getLast())).isEqualTo(new ChangeCondition.ExpiredBy(5));
    }

    @Test
    void aRepetitionNamesTheNewOffsetOfTheOvertakenRecord() {
        List<ProducerRecord<byte[], byte[]>> records = restored(
                change(2, 500, "other", null),
                change(2, 600, "a", null),
                change(2, 610, "a", new ChangeCondition.ExpiredBy(5)),
                change(2, 620, "a", new ChangeCondition.Repeated(610)));

        assertThat(condition(records.getLast())).isEqualTo(new ChangeCondition.Repeated(2));
    }

    @Test
    void aRepetitionOfARecordThatWasCompactedTakesEffectAlways() {
        List<ProducerRecord<byte[], byte[]>> records = restored(
                change(1, 610, "b", new ChangeCondition.ExpiredBy(5)),
                change(2, 620, "a", new ChangeCondition.Repeated(610)));

        assertThat(condition(records.getLast())).isEqualTo(ChangeCondition.Always.ALWAYS);
    }

    @Test
    void recordsOfOtherTopicsAreNotWritten() {
        TopicRestoration restoration = new TopicRestoration(KafkaTopics.CLIENTS, producer, Map.of());

        restoration.accept(change(0, 1, "a", null));

        assertThat(restoration.records()).isZero();
        assertThat(producer.history()).isEmpty();
    }

    @Test
    void sessionsOfAnEarlierBuildGetTheFormatOfThisOne() {
        for (String session : List.of("session", "session-away")) {
            Change earlier = client(Golden.bytes("session-key-v1"), Golden.bytes(session + "-v1"));
            BackedUpRecords.requireReadable(earlier);
            TopicRestoration restoration = new TopicRestoration(KafkaTopics.CLIENTS, producer, Map.of());
            restoration.accept(earlier);

            assertThat(producer.history().getLast().value()).isEqualTo(Golden.bytes(session + "-v2"));
        }
        assertThat(BackedUpRecords.value(client(Golden.bytes("route-key-v1"), Golden.bytes("route-v1"))))
                .isEqualTo(Golden.bytes("route-v1"));
    }

    @Test
    void aBackupOfALaterBuildIsRefused() {
        byte[] later = Golden.bytes("session-v2");
        later[0] = 3;

        assertThatThrownBy(() -> BackedUpRecords.requireReadable(client(Golden.bytes("session-key-v1"), later)))
                .isInstanceOf(StartupException.class)
                .hasMessage(
                        "the record of heddle.clients, partition 5, offset 41, in the backup is unreadable: a session of"
                                + " version 3, and this build of Heddle reads only version 2: restore the backup with the build that"
                                + " made it, or with a later one");
        assertThatThrownBy(() -> BackedUpRecords.requireReadable(change(0, 1, "a", null)))
                .isInstanceOf(StartupException.class);
    }

    private static Change client(byte[] key, byte[] value) {
        return new Change(KafkaTopics.CLIENTS, 5, 41, BinaryData.wrap(key), BinaryData.wrap(value), null);
    }

    @Test
    void onlyTheProgressInATopicThatStillExistsIsWritten() {
        assertThat(progressWith(Map.of(KafkaTopics.application(new ClientId("billing")), LOG_ID)))
                .isOne();
        assertThat(progressWith(Map.of(KafkaTopics.application(new ClientId("billing")), new UUID(3, 4))))
                .isZero();
        assertThat(progressWith(Map.of())).isZero();
    }

    private long progressWith(Map<String, UUID> existing) {
        ClientId client = new ClientId("billing");
        TopicRestoration restoration = new TopicRestoration(KafkaTopics.PROGRESS, producer, existing);
        restoration.accept(new ApplicationTopic(KafkaTopics.application(client), LOG_ID));
        restoration.accept(new Change(
                KafkaTopics.PROGRESS,
                0,
                1,
                BinaryData.wrap(new ProgressFormat().key(new ProgressKey(client, 1, 2))),
                data("progress"),
                null));
        return restoration.records();
    }
}

package io.heddle.persistence.kafka.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.testkit.BucketLogContract;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.RecordingSink;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.log.FreshLogs;
import io.heddle.persistence.record.BucketCommandFormat;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class KafkaBucketLogIT extends BucketLogContract {
    @AutoClose
    private final FreshLogs fresh;

    KafkaBucketLogIT() throws Exception {
        fresh = new FreshLogs(BUCKETS);
    }

    @Override
    protected BucketLog log() {
        return fresh.logs.buckets();
    }

    @Override
    protected MessageLog messages() {
        return fresh.logs.messages();
    }

    @Test
    void anUnreadableRecordStopsOnlyItsBucket() throws Exception {
        RecordingSink sink = new RecordingSink();
        byte[] known = BucketCommandFormat.encode(new InboundReceived(new ClientId("c"), 1, 1, PublishMessages.NAME));
        byte[] later = known.clone();
        later[0] = 99;
        try (Producer<byte[], byte[]> producer = fresh.producer("later", Map.of())) {
            for (byte[] value : new byte[][] {known, later, known}) {
                producer.send(new ProducerRecord<>(KafkaTopics.BUCKETS, 0, null, value))
                        .get();
            }
            log().read(sink);
            log().hold(Set.of(0, 1, 2));
            await().until(() -> sink.stopped(0) != null);
            producer.send(new ProducerRecord<>(KafkaTopics.BUCKETS, 1, null, known))
                    .get();
            producer.send(new ProducerRecord<>(KafkaTopics.BUCKETS, 0, null, known))
                    .get();
            await().until(() -> sink.offsets(1).size() == 1);
        }

        assertThat(sink.offsets(0)).containsExactly(0L);
        assertThat(sink.stopped(0))
                .contains(
                        "Bucket 0 of heddle.buckets",
                        "offset 1",
                        "version 99",
                        "if another build wrote it, back up with the build that wrote it");
        assertThat(sink.stopped(1)).isNull();
        assertThat(sink.reached(0)).isZero();
        assertThat(fresh.registry.get("heddle.buckets.stopped").gauge().value()).isEqualTo(1);
    }

    @Test
    void anEmptyRecordStopsItsBucket() throws Exception {
        RecordingSink sink = new RecordingSink();
        try (Producer<byte[], byte[]> producer = fresh.producer("empty", Map.of())) {
            producer.send(new ProducerRecord<>(KafkaTopics.BUCKETS, 2, null, null))
                    .get();
        }
        log().read(sink);
        log().hold(Set.of(2));

        await().until(() -> sink.stopped(2) != null);
        assertThat(sink.stopped(2)).contains("it is empty");
    }

    @Test
    void aRecreatedTopicHasAnotherId() throws Exception {
        UUID first = fresh.logs.bucketsTopicId();
        fresh.close();
        try (FreshLogs again = new FreshLogs(BUCKETS)) {
            assertThat(again.logs.bucketsTopicId()).isNotEqualTo(first);
        }
    }

    @Test
    void aRewindBeforeReadingIsRejected() {
        assertThatThrownBy(() -> log().rewind(Set.of(0))).isInstanceOf(IllegalStateException.class);
    }
}

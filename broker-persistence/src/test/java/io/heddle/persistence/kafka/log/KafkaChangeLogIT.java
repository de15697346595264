package io.heddle.persistence.kafka.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.testkit.ChangeLogContract;
import io.heddle.core.testkit.RecordingFollower;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.append.LogClosedException;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class KafkaChangeLogIT extends ChangeLogContract {
    @AutoClose
    private final FreshLogs fresh;

    KafkaChangeLogIT() throws Exception {
        fresh = new FreshLogs(1);
    }

    @Override
    protected ChangeLog<ProgressKey, Progress> log() {
        return fresh.logs.progress();
    }

    @Test
    void anUnreadableRecordEndsTheFollower() throws Exception {
        try (Producer<byte[], byte[]> producer = fresh.producer("later", Map.of())) {
            producer.send(new ProducerRecord<>(KafkaTopics.PROGRESS, 2, new byte[] {7}, new byte[] {7}))
                    .get();
            RecordingFollower<Change<ProgressKey, Progress>> follower = new RecordingFollower<>();
            log().follow(follower);
            await().until(() -> follower.lost() != null);
            assertThat(follower.lost())
                    .contains(
                            "heddle.progress, partition 2, offset 0",
                            "version 7",
                            "if another build wrote it, back up with the build that wrote it");
        }
    }

    @Test
    void aClosedConnectionIsUnavailability() {
        fresh.cluster.close();

        assertThat(log().ends().toCompletableFuture())
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void anAppendAfterCloseFails() {
        fresh.logs.close();

        assertThat(log().append(new ProgressKey(new ClientId("c"), 1, 1), null).toCompletableFuture())
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withCauseInstanceOf(LogClosedException.class);
    }
}

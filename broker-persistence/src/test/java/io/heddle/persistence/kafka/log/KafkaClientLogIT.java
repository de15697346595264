package io.heddle.persistence.kafka.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.delivery.log.BucketCommand.InboundReleased;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientChange.OfSession;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.testkit.ClientLogContract;
import io.heddle.core.testkit.RecordingFollower;
import io.heddle.core.testkit.RecordingOutcome;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.append.LogClosedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class KafkaClientLogIT extends ClientLogContract {
    @AutoClose
    private final FreshLogs fresh;

    KafkaClientLogIT() throws Exception {
        fresh = new FreshLogs(BUCKETS);
    }

    @Override
    protected ClientLog log() {
        return fresh.logs.clients();
    }

    @Test
    void thePartitionOfAClientIsItsBucket() throws Exception {
        for (int i = 0; i < 10; i++) {
            commit(new OfSession(client(i), session(i)), route(i, "a", i));
        }

        Buckets buckets = new Buckets(BUCKETS);
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int expected = 0;
            for (int i = 0; i < 10; i++) {
                expected += buckets.of(client(i)) == bucket ? 2 : 0;
            }
            assertThat(fresh.records(KafkaTopics.CLIENTS, bucket)).hasSize(expected);
        }
        assertThatThrownBy(() -> log().commit(BUCKETS, List.of(route(1, "a", 1))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anUnreadableRecordEndsTheFollower() throws Exception {
        try (Producer<byte[], byte[]> producer = fresh.producer("later", Map.of())) {
            producer.send(new ProducerRecord<>(KafkaTopics.CLIENTS, 2, new byte[] {1, 2, 0, 1, 'c'}, new byte[] {7}))
                    .get();
            RecordingFollower<ClientChange> follower = new RecordingFollower<>();
            log().follow(follower);
            await().until(() -> follower.lost() != null);
            assertThat(follower.lost())
                    .contains(
                            "heddle.clients, partition 2, offset 0",
                            "version 7",
                            "if another build wrote it, back up with the build that wrote it");
        }
    }

    @Test
    void aReplacedTopicEndsTheFollower() throws Exception {
        RecordingFollower<ClientChange> follower = new RecordingFollower<>();
        for (int i = 0; i < 10; i++) {
            commit(new OfSession(client(i), session(i)));
        }
        log().follow(follower);
        follower.awaitEnds(log()::ends);

        Admin admin = fresh.cluster.admin();
        admin.deleteTopics(List.of(KafkaTopics.CLIENTS)).all().get(30, TimeUnit.SECONDS);
        await().until(() -> !admin.listTopics().names().get().contains(KafkaTopics.CLIENTS));
        admin.createTopics(List.of(new NewTopic(KafkaTopics.CLIENTS, BUCKETS, (short) 1)))
                .all()
                .get(30, TimeUnit.SECONDS);

        await().atMost(Duration.ofSeconds(60)).until(() -> follower.lost() != null);
        assertThat(follower.lost()).contains("heddle.clients", "was replaced");
    }

    @Test
    void aCommitAfterCloseFails() {
        fresh.logs.close();

        assertThat(log().commit(0, List.of(new OfSession(client(1), null))).toCompletableFuture())
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withCauseInstanceOf(LogClosedException.class);
    }

    @Test
    void aFencedTransactionIsRetriedInItsOrder() throws Exception {
        commit(new OfSession(client(1), session(1)));
        for (int id = 3; id <= 4; id++) {
            fence(new TransactionalId(fresh.life.incarnation(), id).name());
        }

        for (int i = 2; i <= 20; i++) {
            commit(new OfSession(client(1), session(i)));
        }

        assertThat(replayed().getLast()).isEqualTo(new OfSession(client(1), session(20)));
        assertThat(fresh.registry
                        .get("heddle.kafka.transactions")
                        .tags("lane", "state", "outcome", "aborted")
                        .timer()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void aTooLargeChangeFailsAlone() throws Exception {
        SessionRecord large = new SessionRecord(
                1,
                ClientType.DEVICE,
                null,
                60,
                "",
                1,
                1,
                new WillMessage(
                        TopicName.parse("a", 1),
                        BinaryData.wrap(new byte[KafkaTopics.LARGEST_RECORD_BYTES]),
                        QoS.AT_LEAST_ONCE,
                        false,
                        0,
                        PublishProperties.NONE));
        assertThat(log().commit(0, List.of(new OfSession(client(2), large))).toCompletableFuture())
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withCauseInstanceOf(RecordTooLargeException.class);
        commit(new OfSession(client(1), session(1)));

        assertThat(replayed()).containsExactly(new OfSession(client(1), session(1)));
    }

    @Test
    void aReleasedMarkerIsCommittedInTheSameLane() throws Exception {
        RecordingOutcome release = new RecordingOutcome();
        fresh.logs
                .messages()
                .commit(List.of(new ToBucket(0, new InboundReleased(client(1), 1, 7))), new OrderFence(), release);

        assertThat(release.await()).isNull();
        assertThat(fresh.registry
                        .get("heddle.kafka.transaction.commits")
                        .tag("lane", "state")
                        .summary()
                        .totalAmount())
                .isEqualTo(1);
        assertThat(fresh.registry
                        .get("heddle.kafka.pending.bytes")
                        .tag("kind", "changes")
                        .gauge()
                        .value())
                .isZero();
    }

    private void fence(String transactionalId) {
        try (Producer<byte[], byte[]> other =
                fresh.producer("another", Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId))) {
            other.initTransactions();
        }
    }
}

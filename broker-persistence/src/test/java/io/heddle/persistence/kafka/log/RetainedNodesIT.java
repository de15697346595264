package io.heddle.persistence.kafka.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.LogAppend.ToRetained;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.retained.OtherWriters;
import io.heddle.core.retained.RetainedChange;
import io.heddle.core.retained.RetainedLimits;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.retained.RetainedReplica;
import io.heddle.core.testkit.RecordingFollower;
import io.heddle.persistence.TestSettings;
import io.heddle.persistence.kafka.TestLife;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two nodes write retained messages to one Kafka at the same time. */
class RetainedNodesIT {
    private static final int CHANGES = 1_500;
    private static final int TOPICS = 5;

    private final FreshLogs fresh;
    private final KafkaLogs second;
    private final AtomicLong nanos = new AtomicLong();

    RetainedNodesIT() throws Exception {
        fresh = new FreshLogs(1);
        second = KafkaLogs.open(
                fresh.cluster,
                TestSettings.producers("second"),
                new TestLife(),
                TestSettings.applicationLogs(),
                fresh.positions,
                new SimpleMeterRegistry());
    }

    @AfterEach
    void close() {
        second.close();
        fresh.close();
    }

    private final class Node {
        final KafkaLogs logs;
        final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        final RetainedMessages messages = new RetainedMessages(
                new RetainedLimits(1_000, 1_000_000, 1_000, 0),
                new SteadyClock(InstantSource.system(), nanos::get),
                registry);
        final RetainedReplica replica;
        final AtomicInteger answers = new AtomicInteger();

        Node(KafkaLogs logs) {
            this.logs = logs;
            replica = new RetainedReplica(
                    logs.retained(),
                    messages,
                    () -> OtherWriters.PRESENT,
                    lost -> {
                        throw new AssertionError(lost);
                    },
                    registry);
            replica.follow();
        }

        void publish(PublishMessage message) {
            RetainedChange change = Objects.requireNonNull(messages.change(message, (_, _) -> {}));
            logs.messages()
                    .commit(
                            List.of(new ToRetained(message.topic(), change.removes() ? null : message)),
                            new OrderFence(),
                            new MessageLog.AppendCallback() {
                                @Override
                                public void onRetained(long offset) {
                                    change.storedAt(offset);
                                }

                                @Override
                                public void onAppended() {
                                    change.appended();
                                    answers.incrementAndGet();
                                }

                                @Override
                                public void onFailed(Throwable reason) {
                                    throw new AssertionError(reason);
                                }
                            });
        }

        void readToEnd() throws Exception {
            replica.readToEnd().toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }

    private static PublishMessage message(String topic, String payload, long expiresAtMillis) {
        return new PublishMessage(
                new ClientId("publisher"),
                TopicName.parse(topic, 8),
                QoS.AT_LEAST_ONCE,
                true,
                PublishProperties.NONE,
                BinaryData.wrap(payload.getBytes(StandardCharsets.UTF_8)),
                expiresAtMillis);
    }

    @Test
    void allNodesHaveTheLastMessageOfTheLog() throws Exception {
        Node one = new Node(fresh.logs);
        Node two = new Node(second);
        CompletableFuture<?>[] publishers = List.of(one, two).stream()
                .map(node -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < CHANGES; i++) {
                        String payload = i % 7 == 0 ? "" : (node == one ? "one " : "two ") + i;
                        node.publish(message("t/" + i % TOPICS, payload, PublishMessage.NEVER_EXPIRES));
                    }
                }))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(publishers).get(30, TimeUnit.SECONDS);
        await().atMost(Duration.ofSeconds(30)).until(() -> one.answers.get() + two.answers.get() == 2 * CHANGES);
        one.readToEnd();
        two.readToEnd();
        Node late = new Node(second);
        late.readToEnd();

        assertThat(one.messages.size()).isPositive();
        assertThat(two.messages.checksum()).isEqualTo(one.messages.checksum());
        assertThat(late.messages.checksum()).isEqualTo(one.messages.checksum());
        assertThat(late.messages.bytes()).isEqualTo(one.messages.bytes());
    }

    @Test
    void aRemovalDoesNotRemoveALaterMessage() throws Exception {
        long now = InstantSource.system().millis();
        Node one = new Node(fresh.logs);
        Node two = new Node(second);
        one.publish(message("t", "expired", now + 1_000));
        await().until(() -> one.answers.get() == 1);
        one.readToEnd();
        two.publish(message("t", "later", PublishMessage.NEVER_EXPIRES));
        await().until(() -> two.answers.get() == 1);
        fresh.logs
                .retained()
                .append(new Change<>(TopicName.parse("t", 8), null, new ChangeCondition.ExpiredBy(now + 1_000)))
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        one.readToEnd();
        two.readToEnd();
        assertThat(one.messages.size()).isOne();
        assertThat(two.messages.checksum()).isEqualTo(one.messages.checksum());

        one.messages.expireSome(100, fresh.logs.retained());

        await().until(() -> RecordingFollower.read(fresh.logs.retained()).size() == 4);
        Change<TopicName, PublishMessage> last =
                RecordingFollower.read(fresh.logs.retained()).getLast();
        assertThat(last.condition()).isInstanceOf(ChangeCondition.Repeated.class);
        assertThat(Objects.requireNonNull(last.value()).payload())
                .isEqualTo(BinaryData.wrap("later".getBytes(StandardCharsets.UTF_8)));
    }
}

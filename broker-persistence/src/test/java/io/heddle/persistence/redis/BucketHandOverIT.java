package io.heddle.persistence.redis;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.BucketWriter;
import io.heddle.core.delivery.bucket.LagBounds;
import io.heddle.core.delivery.bucket.PushTarget;
import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.RecordingOutcome;
import io.heddle.persistence.kafka.log.FreshLogs;
import io.heddle.persistence.kafka.read.KafkaBucketLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes that each hold half of the buckets of one Kafka and one Redis, and exchange the halves under load. */
class BucketHandOverIT {
    private static final int BUCKETS = 4;
    private static final int MESSAGES = 4_000;
    private static final int SWAPS = 20;
    private static final QueueBounds BOUNDS = new QueueBounds(100_000, 1L << 30, false, 10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RedisUnderTest redis = RedisUnderTest.bundled();
    private final FreshLogs fresh;
    private final RedisBuckets buckets;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<Integer, Registration> sessions = new HashMap<>();

    BucketHandOverIT() throws Exception {
        fresh = new FreshLogs(BUCKETS);
        redis.server().commands().flushall();
        buckets = new RedisBuckets(redis.server(), BUCKETS, fresh.logs.bucketsTopicId(), redis.registry());
    }

    /** The part of a node that applies buckets. */
    private final class Node {
        final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        final SteadyClock clock = new SteadyClock(InstantSource.system(), System::nanoTime);
        final BucketPositions positions = new BucketPositions(BUCKETS, LagBounds.NONE, clock, metrics);
        final BucketLog log = new KafkaBucketLog(fresh.cluster, metrics);

        Node() {
            DeviceQueues queues = new RedisDeviceQueues(buckets);
            log.read(new BucketWriter(
                    queues,
                    new NoSessions(),
                    positions,
                    fresh.logs.messages(),
                    BOUNDS,
                    1 << 20,
                    clock,
                    new ClientIncidents(System::nanoTime, metrics),
                    metrics));
        }

        double count(String counter) {
            return metrics.get(counter).counter().count();
        }

        double gauge(String gauge) {
            return metrics.get(gauge).gauge().value();
        }
    }

    /** No client is connected. */
    private static final class NoSessions implements QueueSessions {
        @Override
        public @Nullable PushTarget target(ClientId clientId, long generation) {
            return null;
        }

        @Override
        public boolean hasEnded(ClientId clientId, long generation) {
            return false;
        }

        @Override
        public void onDropped(ClientId clientId, long generation, QueueDrop.Reason reason, long nowMillis) {
            throw new AssertionError("no queue is full");
        }

        @Override
        public void removeQueue(int bucket, ClientId clientId, long generation) {
            throw new AssertionError("no session has ended");
        }

        @Override
        public Map<Integer, CompletionStage<Void>> reRegisterSessions(Set<Integer> some) {
            return Map.of();
        }

        @Override
        public CompletionStage<Void> endFeeds(int bucket, long viewId, long completeFrom) {
            throw new AssertionError("no queue was lost");
        }

        @Override
        public void reRegister(int bucket, ClientId clientId, long generation) {
            throw new AssertionError("no session is connected");
        }

        @Override
        public void onPositioned(int bucket, long viewId, boolean isFirst) {
            // No session is connected.
        }

        @Override
        public void sendPushes() {
            // No session is connected.
        }

        @Override
        public boolean hasUnsentPushes() {
            return false;
        }
    }

    @BeforeEach
    void begin() {
        SessionRegistry registry = new RedisSessionRegistry(buckets);
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            sessions.put(
                    bucket,
                    registry.connect(bucket, client(bucket), 1_000, 0, 1_000, "node")
                            .toCompletableFuture()
                            .join());
        }
        nodes.add(new Node());
        nodes.add(new Node());
    }

    @AfterEach
    void stop() {
        nodes.forEach(node -> node.log.stopReading());
        fresh.close();
        redis.server().commands().flushall();
    }

    @Test
    void everyMessageIsAppliedOnceAndInOrderWhileTheNodesExchangeTheirBuckets() throws Exception {
        Node one = nodes.get(0);
        Node other = nodes.get(1);
        Set<Integer> first = Set.of(0, 1);
        Set<Integer> second = Set.of(2, 3);
        one.log.hold(first);
        other.log.hold(second);
        AtomicBoolean appended = new AtomicBoolean();
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> append(appended));

        for (int swap = 0; swap < SWAPS || !appended.get(); swap++) {
            boolean isEven = swap % 2 == 0;
            Set<Integer> leaves = isEven ? first : second;
            Set<Integer> comes = isEven ? second : first;
            // Now and then the next holder does not wait: a node that was declared dead still applies for a while.
            boolean waits = swap % 5 != 4;
            CompletionStage<Void> left = handOver(one, other, leaves, waits);
            CompletionStage<Void> came = handOver(other, one, comes, waits);
            left.toCompletableFuture().get(20, TimeUnit.SECONDS);
            came.toCompletableFuture().get(20, TimeUnit.SECONDS);
            TimeUnit.MILLISECONDS.sleep(swap % 3 * 20L);
        }
        load.get(60, TimeUnit.SECONDS);

        List<Long> ends = fresh.logs.buckets().ends().toCompletableFuture().get(20, TimeUnit.SECONDS);
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int each = bucket;
            await().atMost(PATIENCE)
                    .until(() ->
                            nodes.stream().anyMatch(node -> node.positions.appliedOffset(each) + 1 >= ends.get(each)));
            assertThat(payloads(bucket))
                    .isEqualTo(IntStream.range(0, MESSAGES)
                            .mapToObj(Integer::toString)
                            .toList());
        }
        // The results of a batch whose answer is overdue at the release are counted by neither node.
        assertThat(one.count("heddle.queues.messages") + other.count("heddle.queues.messages"))
                .isLessThanOrEqualTo(BUCKETS * MESSAGES);
        for (Node node : nodes) {
            assertThat(node.gauge("heddle.buckets.stopped")).isZero();
            await().atMost(PATIENCE).until(() -> node.gauge("heddle.buckets.held") == 2);
            assertThat(node.count("heddle.buckets.rollbacks")).isZero();
            assertThat(node.count("heddle.buckets.dead.letters")).isZero();
            assertThat(node.count("heddle.queues.messages"))
                    .as("both have applied")
                    .isPositive();
        }
    }

    private static CompletionStage<Void> handOver(Node from, Node to, Set<Integer> held, boolean waits) {
        if (waits) {
            return from.log.release(held).thenRun(() -> to.log.hold(held));
        }
        to.log.hold(held);
        return from.log.release(held);
    }

    /** Appends the numbered messages, with transactions between them. */
    private void append(AtomicBoolean done) {
        List<RecordingOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                RecordingOutcome outcome = new RecordingOutcome();
                outcomes.add(outcome);
                fresh.logs.messages().append(List.of(message(bucket, i)), outcome);
            }
            if (i % 100 == 0) {
                RecordingOutcome outcome = new RecordingOutcome();
                outcomes.add(outcome);
                fresh.logs
                        .messages()
                        .commit(
                                List.of(new ToBucket(
                                        i / 100 % BUCKETS,
                                        new BucketCommand.InboundReceived(
                                                new ClientId("publisher"), 1, 1 + i, PublishMessages.NAME))),
                                new OrderFence(),
                                outcome);
                try {
                    assertThat(outcome.await()).isNull();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        for (RecordingOutcome outcome : outcomes) {
            try {
                assertThat(outcome.await()).isNull();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        done.set(true);
    }

    private LogAppend message(int bucket, int number) {
        QueueRecipient recipient = new QueueRecipient(
                client(bucket), requireNonNull(sessions.get(bucket)).generation(), QoS.AT_LEAST_ONCE, false, List.of());
        return new ToBucket(
                bucket,
                new BucketCommand.Enqueue(PublishMessages.message(Integer.toString(number)), List.of(recipient)));
    }

    private List<String> payloads(int bucket) {
        Registration session = requireNonNull(sessions.get(bucket));
        List<String> payloads = new ArrayList<>();
        QueuePage page;
        long next = 1;
        do {
            page = new RedisDeviceQueues(buckets)
                    .page(bucket, client(bucket), session.generation(), session.epoch(), next, 500, 1 << 20)
                    .toCompletableFuture()
                    .join();
            for (QueuePage.Entry entry : page.entries()) {
                payloads.add(PublishMessages.text(entry.message()));
                next = entry.sequence() + 1;
            }
        } while (!page.entries().isEmpty());
        return payloads;
    }

    private static ClientId client(int bucket) {
        return new ClientId("client-" + bucket);
    }
}

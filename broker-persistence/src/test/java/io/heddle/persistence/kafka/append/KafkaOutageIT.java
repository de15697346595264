package io.heddle.persistence.kafka.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.ApplicationMessage;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.delivery.log.BucketCommand.InboundReleased;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.LogAppend.ToRetained;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.RecordingFollower;
import io.heddle.core.testkit.RecordingOutcome;
import io.heddle.core.testkit.RecordingSink;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.log.FreshLogs;
import io.heddle.persistence.record.BucketCommandFormat;
import io.heddle.persistence.record.RecordReader;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.process.SupervisedProcess;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes to a Kafka that stalls or is killed. */
@Tag("ci")
class KafkaOutageIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PAYLOAD_BYTES = 10_000;
    private static final long PENDING_LIMIT = 48 << 20;
    /** Producers that may block do so for 4 s, the max.block.ms of the transactional ones, or longer. A busy machine may pause the test for a second. */
    private static final long BLOCKED_NANOS = TimeUnit.SECONDS.toNanos(3);

    @TempDir
    static Path directory;

    @AutoClose
    private static Servers servers;

    @BeforeAll
    static void start() throws Exception {
        servers = Servers.builder(directory)
                .tuning(Tuning.TESTS)
                .only(Server.KAFKA)
                .start();
        servers.awaitReady(PATIENCE);
    }

    @Test
    void aFollowerGoesOnAfterKafkaWasKilled() throws Exception {
        try (FreshLogs fresh = new FreshLogs(servers.endpoints(), 2, PENDING_LIMIT)) {
            RecordingFollower<ClientChange> follower = new RecordingFollower<>();
            ClientLog clients = fresh.logs.clients();
            clients.follow(follower);
            ClientChange first = session("first");
            clients.commit(0, List.of(first)).toCompletableFuture().get(60, TimeUnit.SECONDS);
            follower.awaitEnds(clients::ends);

            SupervisedProcess kafka = servers.process(Server.KAFKA, 0);
            kafka.kill();
            ClientChange second = session("second");
            clients.commit(0, List.of(second)).toCompletableFuture().get(60, TimeUnit.SECONDS);

            await().atMost(PATIENCE).until(() -> follower.records().size() >= 2);
            assertThat(follower.records()).containsExactly(first, second);
            assertThat(follower.lost()).isNull();
        }
    }

    private static ClientChange session(String clientId) {
        return new ClientChange.OfSession(
                new ClientId(clientId), new SessionRecord(1, ClientType.DEVICE, null, 60, "", 1, 1));
    }

    @Test
    void nothingBlocksAndTheOrderHoldsWhileKafkaStalls() throws Exception {
        SupervisedProcess kafka = servers.process(Server.KAFKA, 0);
        try (FreshLogs fresh = new FreshLogs(servers.endpoints(), 2, PENDING_LIMIT)) {
            MessageLog log = fresh.logs.messages();
            List<RecordingOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
            long slowest = 0;
            int sent = 0;
            CompletableFuture<Long> session;
            RecordingOutcome commit = new RecordingOutcome();
            RecordingOutcome retained = new RecordingOutcome();
            RecordingOutcome release = new RecordingOutcome();
            kafka.pause();
            try {
                // More records than the producer's memory can hold.
                while (log.accepts(PAYLOAD_BYTES)) {
                    RecordingOutcome outcome = new RecordingOutcome();
                    outcomes.add(outcome);
                    long start = System.nanoTime();
                    log.append(List.of(new ToBucket(sent % 2, enqueue(sent))), outcome);
                    slowest = Math.max(slowest, System.nanoTime() - start);
                    sent++;
                }
                assertThat(sent).isGreaterThan(4_000);
                assertThat(slowest).isLessThan(BLOCKED_NANOS);
                // The first may be answered before the signal has stopped all of Kafka's threads.
                assertThat(outcomes.subList(2_000, sent)).noneMatch(RecordingOutcome::isDone);
                assertThat(fresh.registry
                                .get("heddle.kafka.append.waiting")
                                .gauge()
                                .value())
                        .isGreaterThan(100);
                assertThat(fresh.registry
                                .get("heddle.kafka.pending.bytes")
                                .tag("kind", "messages")
                                .gauge()
                                .value())
                        .isBetween(PENDING_LIMIT * 0.99, PENDING_LIMIT * 1.01);

                // Appends that did not call accepts() are queued too.
                session = fresh.logs
                        .clients()
                        .commit(
                                0,
                                List.of(new ClientChange.OfSession(
                                        new ClientId("c"),
                                        new SessionRecord(1, ClientType.DEVICE, null, 60, "", 1, 1))))
                        .toCompletableFuture();
                log.commit(
                        List.of(new ToBucket(0, new InboundReceived(new ClientId("c"), 1, 1, PublishMessages.NAME))),
                        new OrderFence(),
                        commit);
                log.commit(List.of(new ToRetained(message(0).topic(), message(0))), new OrderFence(), retained);
                log.commit(
                        List.of(new ToBucket(1, new InboundReleased(new ClientId("c"), 1, 1))),
                        new OrderFence(),
                        release);
                assertThat(session).isNotDone();
            } finally {
                kafka.resume();
            }

            for (RecordingOutcome outcome : outcomes) {
                assertThat(outcome.await()).isNull();
            }
            assertThat(session).succeedsWithin(PATIENCE);
            // Retried until they are stored.
            assertThat(retained.await()).isNull();
            assertThat(release.await()).isNull();
            // A transaction in progress may have timed out, but its outcome is reported.
            commit.await();
            assertThat(payloads(fresh, 0)).isEqualTo(everySecond(0, sent));
            assertThat(payloads(fresh, 1)).isEqualTo(everySecond(1, sent));
            await().untilAsserted(() -> {
                assertThat(fresh.registry
                                .get("heddle.kafka.pending.bytes")
                                .tag("kind", "messages")
                                .gauge()
                                .value())
                        .isZero();
                assertThat(fresh.registry
                                .get("heddle.kafka.append.waiting")
                                .gauge()
                                .value())
                        .isZero();
            });
            assertThat(log.accepts(PAYLOAD_BYTES)).isTrue();
        }
    }

    @Test
    void applicationCallsDoNotBlockWhileKafkaStalls() throws Exception {
        SupervisedProcess kafka = servers.process(Server.KAFKA, 0);
        try (FreshLogs fresh = new FreshLogs(servers.endpoints(), 1, PENDING_LIMIT)) {
            ClientId app = new ClientId("app");
            ApplicationLogs logs = fresh.logs.applications();
            assertThat(logs.create(app, 1).toCompletableFuture()).succeedsWithin(PATIENCE);
            List<Integer> read = Collections.synchronizedList(new ArrayList<>());
            List<RecordingOutcome> outcomes = new ArrayList<>();
            CompletableFuture<Long> created;
            CompletableFuture<Void> progress;
            long slowest = 0;
            kafka.pause();
            try {
                long start = System.nanoTime();
                created = logs.create(new ClientId("other"), 1).toCompletableFuture();
                logs.read(app, 1, 0, new ApplicationLogs.Sink() {
                    @Override
                    public void read(List<ApplicationMessage> messages) {
                        messages.forEach(message -> read.add(
                                ByteBuffer.wrap(message.message().payload().array())
                                        .getInt()));
                    }

                    @Override
                    public void lost(String reason) {
                        throw new AssertionError(reason);
                    }
                });
                logs.acknowledged(app, 1, 0);
                progress = fresh.logs
                        .progress()
                        .append(new ProgressKey(app, 1, 1), new Progress(0, List.of(), List.of(), 0))
                        .toCompletableFuture();
                slowest = System.nanoTime() - start;
                for (int i = 0; i < 500; i++) {
                    RecordingOutcome outcome = new RecordingOutcome();
                    outcomes.add(outcome);
                    start = System.nanoTime();
                    fresh.logs.messages().append(List.of(toApplication(app, i)), outcome);
                    slowest = Math.max(slowest, System.nanoTime() - start);
                }
                assertThat(slowest).isLessThan(BLOCKED_NANOS);
                assertThat(created).isNotDone();
                assertThat(progress).isNotDone();
            } finally {
                kafka.resume();
            }
            for (RecordingOutcome outcome : outcomes) {
                assertThat(outcome.await()).isNull();
            }
            assertThat(progress).succeedsWithin(PATIENCE);
            assertThat(created).succeedsWithin(PATIENCE);
            await().atMost(PATIENCE).until(() -> read.size() >= 20);
            assertThat(List.copyOf(read).subList(0, 20))
                    .isEqualTo(IntStream.range(0, 20).boxed().toList());
        }
    }

    private static LogAppend toApplication(ClientId app, int number) {
        return new LogAppend.ToApplication(app, 1, message(number), QoS.AT_LEAST_ONCE, false, List.of());
    }

    @Test
    void writingAndReadingResumeAfterAKill() throws Exception {
        SupervisedProcess kafka = servers.process(Server.KAFKA, 0);
        try (FreshLogs fresh = new FreshLogs(servers.endpoints(), 2, PENDING_LIMIT)) {
            RecordingSink sink = new RecordingSink();
            fresh.logs.buckets().read(sink);
            fresh.logs.buckets().hold(Set.of(0));
            List<RecordingOutcome> outcomes = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                if (i == 200) {
                    kafka.kill();
                }
                RecordingOutcome outcome = new RecordingOutcome();
                outcomes.add(outcome);
                fresh.logs.messages().append(List.of(new ToBucket(0, enqueue(i))), outcome);
            }
            for (RecordingOutcome outcome : outcomes) {
                assertThat(outcome.await()).isNull();
            }

            await().atMost(PATIENCE).until(() -> sink.offsets(0).size() == 400);
            assertThat(payloads(fresh, 0))
                    .isEqualTo(IntStream.range(0, 400).boxed().toList());
            RecordingOutcome commit = new RecordingOutcome();
            await().atMost(PATIENCE).until(() -> committed(fresh));
            fresh.logs.messages().commit(List.of(new ToBucket(1, enqueue(1))), new OrderFence(), commit);
            assertThat(commit.await()).isNull();
        }
    }

    private static boolean committed(FreshLogs fresh) throws InterruptedException {
        RecordingOutcome outcome = new RecordingOutcome();
        fresh.logs.messages().commit(List.of(new ToBucket(1, enqueue(0))), new OrderFence(), outcome);
        return outcome.await() == null;
    }

    private static List<Integer> payloads(FreshLogs fresh, int bucket) {
        List<Integer> numbers = new ArrayList<>();
        fresh.records(KafkaTopics.BUCKETS, bucket).forEach(record -> {
            BucketCommand command =
                    BucketCommandFormat.read(new RecordReader(record.value(), () -> KafkaTopics.place(record)));
            if (command instanceof Enqueue enqueue) {
                numbers.add(ByteBuffer.wrap(enqueue.message().payload().array()).getInt());
            }
        });
        return numbers;
    }

    private static List<Integer> everySecond(int first, int below) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = first; i < below; i += 2) {
            numbers.add(i);
        }
        return numbers;
    }

    private static BucketCommand enqueue(int number) {
        return new Enqueue(
                message(number),
                List.of(new QueueRecipient(new ClientId("c"), 1, QoS.AT_LEAST_ONCE, false, List.of())));
    }

    private static PublishMessage message(int number) {
        return new PublishMessage(
                new ClientId("p"),
                TopicName.parse("a", 1),
                QoS.AT_LEAST_ONCE,
                false,
                PublishProperties.NONE,
                BinaryData.wrap(
                        ByteBuffer.allocate(PAYLOAD_BYTES).putInt(number).array()),
                PublishMessage.NEVER_EXPIRES);
    }
}

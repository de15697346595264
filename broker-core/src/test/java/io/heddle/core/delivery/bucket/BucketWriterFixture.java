package io.heddle.core.delivery.bucket;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.testkit.FaultyDeviceQueues;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.UnboundedLag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A writer with controllable queues, sessions and event loops. */
abstract class BucketWriterFixture {
    static final long NOW = 1_800_000_000_000L;
    static final ClientId PUMP = new ClientId("pump-1");
    static final ClientId VALVE = new ClientId("valve-1");

    static final long READ_AHEAD_BYTES = 10_000;

    final ManualEventLoop loop = new ManualEventLoop(0);
    final ManualEventLoop otherLoop = new ManualEventLoop(1);
    final InMemoryDeviceQueues store = new InMemoryDeviceQueues();
    private long epoch = 1_000;
    final FaultyDeviceQueues queues = new FaultyDeviceQueues(store);
    final RecordingQueueSessions sessions = new RecordingQueueSessions();
    final BucketPositions positions = UnboundedLag.positions(2);
    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final InMemoryBucketLog bucketLog = new InMemoryBucketLog(2);
    final InMemoryMessageLog messageLog = new InMemoryMessageLog(bucketLog, positions);
    final AtomicLong nanos = new AtomicLong();
    final BucketWriter writer = writer(new QueueBounds(3, 1_000_000, false, 1));

    BucketWriter writer(QueueBounds bounds) {
        return writer(bounds, positions);
    }

    BucketWriter writer(QueueBounds bounds, BucketPositions of) {
        SteadyClock clock = new SteadyClock(InstantSource.fixed(Instant.ofEpochMilli(NOW)), nanos::get);
        BucketWriter created = new BucketWriter(
                queues,
                sessions,
                of,
                messageLog,
                bounds,
                READ_AHEAD_BYTES,
                clock,
                new ClientIncidents(System::nanoTime, metrics),
                metrics);
        created.start(Runnable::run);
        created.hold(Set.of(0, 1));
        return created;
    }

    /** Begins a session. */
    Registration connect(int bucket, ClientId clientId) {
        epoch++;
        return answer(store.connect(bucket, clientId, epoch, 0, epoch, "node"));
    }

    /** Connects the client of a session again. */
    Registration reconnect(int bucket, ClientId clientId, Registration session) {
        epoch++;
        return answer(store.connect(bucket, clientId, session.generation(), session.epoch(), epoch, "node"));
    }

    /** Lets the writer query the positions of its queues and returns its seeks. */
    Map<Integer, Long> placed(BucketWriter of) {
        turn(of);
        return of.takeSeeks();
    }

    /** Hands over commands and applies them. */
    void apply(int bucket, Logged... commands) {
        apply(writer, bucket, commands);
    }

    void apply(BucketWriter by, int bucket, Logged... commands) {
        by.advance();
        by.onCommands(bucket, List.of(commands), 0);
        turn(by);
    }

    /** Calls the writer as before each read. */
    static void turn(BucketWriter by) {
        by.advance();
        by.sendPushes();
    }

    /** Advances the clock and then the writer. */
    void advance(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
        turn(writer);
    }

    static Logged at(long offset, String payload, QueueRecipient... recipients) {
        return new Logged(offset, command(payload, recipients));
    }

    static BucketCommand command(String payload, QueueRecipient... recipients) {
        return new Enqueue(PublishMessages.message(payload), List.of(recipients));
    }

    static QueueRecipient to(ClientId clientId, Registration registration) {
        return new QueueRecipient(clientId, registration.generation(), QoS.AT_LEAST_ONCE, false, List.of());
    }

    List<String> stored(int bucket, ClientId clientId) {
        return store.payloads(bucket, clientId);
    }

    double count(String counter) {
        return metrics.counter(counter).count();
    }

    double dropped(String reason) {
        return metrics.counter("heddle.messages.dropped", "reason", reason).count();
    }

    static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}

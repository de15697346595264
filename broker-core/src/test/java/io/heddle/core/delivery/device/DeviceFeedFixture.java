package io.heddle.core.delivery.device;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.device.BucketApplied.Done;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.OutboundQueue.StoredMessage;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.testkit.FaultyDeviceQueues;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.RecordingFeedListener;
import io.heddle.core.testkit.UnboundedLag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A feed of one session with controllable queue, log and event loop. */
abstract class DeviceFeedFixture {
    static final ClientId PUMP = new ClientId("pump-1");
    static final QueueBounds BOUNDS = new QueueBounds(1_000, 100_000_000, false, 100);
    static final int READ_AHEAD_BYTES = 100_000_000;
    static final Duration PAUSE = Duration.ofMillis(500);
    static final Duration BATCH_DELAY = Duration.ofMillis(20);

    final ManualEventLoop loop = new ManualEventLoop(0);
    final InMemoryDeviceQueues store = new InMemoryDeviceQueues();
    final FaultyDeviceQueues queues = new FaultyDeviceQueues(store);
    final InMemoryBucketLog bucketLog = new InMemoryBucketLog(1);
    final InMemoryMessageLog messageLog = new InMemoryMessageLog(bucketLog, UnboundedLag.positions(1));
    final QueueAcknowledgements acknowledgements = new QueueAcknowledgements(
            queues,
            new AcknowledgementLog(messageLog, loop, Duration.ZERO, new SimpleMeterRegistry()),
            loop,
            new SimpleMeterRegistry());
    final ReadAhead readAhead = new ReadAhead(0, READ_AHEAD_BYTES, new SimpleMeterRegistry());
    RoutingLease lease = RoutingLease.unlimited();
    final RecordingFeedListener heard = new RecordingFeedListener();
    QueueBounds bounds = BOUNDS;
    /** The progress of pushes that the applying thread reports to the queues. */
    long pushedUpTo;

    private long epoch = 1_000;
    Registration registration = connect(epoch + 1);
    long offset = BucketBatch.NOTHING;

    DeviceFeed started() {
        DeviceFeed feed = feed(0);
        feed.begin();
        loop.runTasks();
        return feed;
    }

    DeviceFeed feed(long duplicatesUpTo) {
        return new DeviceFeed(
                new FeedSources(queues, bounds, messageLog, acknowledgements, readAhead, lease),
                new QueueOwner(
                        0,
                        PUMP,
                        registration.generation(),
                        registration.epoch(),
                        registration.position().viewId()),
                loop,
                heard,
                registration.head(),
                registration.tail(),
                duplicatesUpTo);
    }

    Registration connect(long generation) {
        epoch++;
        return answer(store.connect(0, PUMP, generation, 0, epoch, "node"));
    }

    /** Enqueues a message and pushes it to the feed. */
    BucketCommand.Enqueue push(DeviceFeed feed, String payload) {
        BucketCommand.Enqueue command = command(payload);
        long sequence = apply(command);
        pushedUpTo = sequence;
        feed.pushed(sequence, command, command.recipients().getFirst());
        return command;
    }

    void enqueue(String payload) {
        apply(command(payload));
    }

    BucketCommand.Enqueue command(String payload) {
        return enqueueOf(PublishMessages.message(payload));
    }

    BucketCommand.Enqueue enqueueOf(PublishMessage message) {
        return new BucketCommand.Enqueue(
                message,
                List.of(new QueueRecipient(PUMP, registration.generation(), QoS.AT_LEAST_ONCE, false, List.of())));
    }

    /** Applies a command. Returns the sequence number of its message, or 0 when it has none. */
    long apply(BucketCommand command) {
        long preceding = offset++;
        Done done = (Done) answer(store.apply(
                new BucketBatch(0, preceding, List.of(new BucketBatch.Logged(offset, command))),
                bounds,
                (_, _) -> pushedUpTo,
                1_000));
        return done.results().isEmpty() ? 0 : done.results().getFirst().sequence();
    }

    Acknowledgement acknowledgement(long upTo, SequenceRange... above) {
        return new Acknowledgement(
                PUMP, registration.generation(), registration.position().viewId(), upTo, List.of(above));
    }

    List<String> stored() {
        return store.payloads(0, PUMP);
    }

    List<String> drain(DeviceFeed feed) {
        List<String> all = new ArrayList<>();
        while (feed.peek() != null) {
            all.add(takeOne(feed));
            loop.runTasks();
        }
        return all;
    }

    static String takeOne(DeviceFeed feed) {
        StoredMessage fed = take(feed);
        return fed.sequence() + " " + PublishMessages.text(fed.message());
    }

    static StoredMessage take(DeviceFeed feed) {
        StoredMessage fed = feed.peek();
        if (fed == null) {
            throw new AssertionError("there is no message");
        }
        feed.take();
        return fed;
    }

    static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}

package io.heddle.core.testkit;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketApplied.EnqueueResult;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.Assertions;

/** Helper methods for the contracts of the two ports that one store implements. */
public abstract class BucketContract {
    protected static final int BUCKET = 3;
    protected static final long NOW = 1_800_000_000_000L;
    protected static final String NODE = "node-1-a";
    protected static final String OTHER_NODE = "node-2-b";
    protected static final ClientId PUMP = new ClientId("pump-1");
    protected static final ClientId VALVE = new ClientId("{valve} 1 é");
    protected static final QueueBounds ROOMY = new QueueBounds(1_000, 10_000_000, false, 100);
    /** A generation as the first connection of a session assigns it. */
    protected static final long GENERATION = 1_700_000_000_000_000L;

    /** In {@link #connect}, the generation of a session that begins. */
    protected static final long NEW = 0;

    /** Offsets have gaps. */
    private static final long STEP = 3;

    private long offset = 10;
    private long epoch = GENERATION + 1_000;
    private long preceding = BucketBatch.NOTHING;

    /** Of every client. */
    protected long pushedUpTo = PushedUpTo.NOTHING;

    /** The store under test, empty at the start of a test and the same throughout it. */
    protected abstract BucketStore store();

    protected final DeviceQueues queues() {
        return store().queues();
    }

    protected final SessionRegistry registry() {
        return store().registry();
    }

    protected static QueueRecipient recipient(ClientId clientId, long generation) {
        return new QueueRecipient(clientId, generation, QoS.AT_LEAST_ONCE, false, List.of());
    }

    /** A message for the queue of one session. */
    protected final BucketCommand to(ClientId clientId, long generation, String payload) {
        return new Enqueue(PublishMessages.message(payload), List.of(recipient(clientId, generation)));
    }

    /** The next records of the log as one batch. */
    protected final BucketBatch next(BucketCommand... commands) {
        List<BucketBatch.Logged> logged = new ArrayList<>();
        long before = preceding;
        for (BucketCommand command : commands) {
            offset += STEP;
            logged.add(new BucketBatch.Logged(offset, command));
        }
        preceding = offset;
        return new BucketBatch(BUCKET, before, logged);
    }

    protected final BucketApplied apply(BucketBatch batch, QueueBounds bounds) {
        return await(queues().apply(batch, bounds, (_, _) -> pushedUpTo, NOW));
    }

    /** Applies a batch, which must succeed. */
    protected final BucketApplied.Done done(BucketBatch batch, QueueBounds bounds) {
        BucketApplied applied = apply(batch, bounds);
        Assertions.assertThat(applied).isInstanceOf(BucketApplied.Done.class);
        return (BucketApplied.Done) applied;
    }

    protected final BucketApplied.Done done(BucketCommand... commands) {
        return done(next(commands), ROOMY);
    }

    /** Enqueues one message for each payload and returns the results. */
    protected final List<EnqueueResult> enqueue(ClientId clientId, long generation, String... payloads) {
        List<EnqueueResult> results = new ArrayList<>();
        for (String payload : payloads) {
            results.addAll(done(to(clientId, generation, payload)).results());
        }
        return results;
    }

    /** Connects a client in a new epoch, whose previous epoch is unknown. */
    protected final Registration connect(ClientId clientId, long generation, String owner) {
        epoch = Math.max(epoch, generation);
        long own = newEpoch();
        return connect(clientId, generation == NEW ? own : generation, 0, own, owner);
    }

    protected final Registration connect(
            ClientId clientId, long generation, long previousEpoch, long ofConnection, String owner) {
        return await(registry().connect(BUCKET, clientId, generation, previousEpoch, ofConnection, owner));
    }

    /** Returns an epoch above all earlier ones of the test. */
    protected final long newEpoch() {
        epoch += 10;
        return epoch;
    }

    protected final void disconnect(ClientId clientId, long epoch, long sentUpTo) {
        await(registry().disconnect(BUCKET, clientId, epoch, sentUpTo));
    }

    protected final QueuePage page(ClientId clientId, Registration session, long from) {
        return await(
                queues().page(BUCKET, clientId, session.generation(), session.epoch(), from, 1_000, Integer.MAX_VALUE));
    }

    protected final void acknowledge(ClientId clientId, long generation, long upTo) {
        await(queues().acknowledge(BUCKET, List.of(new Acknowledgement(clientId, generation, viewId(), upTo))));
    }

    /** Returns the queue of a client as "sequence payload", by taking over its session. */
    protected final List<String> waiting(ClientId clientId, long generation) {
        return texts(page(clientId, connect(clientId, generation, NODE), 1));
    }

    protected static List<String> texts(QueuePage page) {
        return texts(page.entries());
    }

    protected static List<String> texts(List<QueuePage.Entry> entries) {
        return entries.stream()
                .map(entry -> entry.sequence() + " "
                        + PublishMessages.text(entry.message())
                        + (entry.received() ? " received" : ""))
                .toList();
    }

    /** Returns the present view id of the bucket. */
    protected final long viewId() {
        return await(queues().position(BUCKET)).viewId();
    }

    protected static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }
}

package io.heddle.core.delivery.bucket;

import io.heddle.core.OwnerThread;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the logs of the buckets that this node holds to their queues, each log in order and independently of the others, and pushes the
 * messages to connected sessions. Belongs to the thread that reads the logs (the applying thread). The thread never blocks here: answers of
 * the store run as its tasks.
 *
 * <p>Each held bucket has a {@link BucketChain}: in step → behind (its queues rolled back or do not answer; their position is queried and
 * the log is read again from there) → in step → released. A released chain waits for the answer of its step in flight, but not for an
 * overdue one. A command that the queues reject permanently becomes a dead letter, and the chain continues. Bound: for each bucket one
 * batch is in flight and {@code maximumBufferedBytes} are buffered.
 */
public final class BucketWriter implements BucketSink {
    private static final Logger log = LoggerFactory.getLogger(BucketWriter.class);

    private static final long LONGEST_WAIT_MILLIS = 1_000;
    private static final long UNSENT_WAIT_MILLIS = 20;

    private final QueueSessions sessions;
    private final BucketPositions positions;
    private final QueueBounds bounds;
    private final long maximumBufferedBytes;
    private final SteadyClock clock;
    private final MeterRegistry metrics;
    private final BucketSteps steps;
    /** The chains of the held buckets. Set by the applying thread. */
    private final AtomicReferenceArray<@Nullable BucketChain> chains;

    private final OwnerThread owner = new OwnerThread();
    /** Released chains whose step is in flight. */
    private final List<BucketChain> releasing = new ArrayList<>();

    private volatile long bufferedBytes;

    /**
     * Creates a writer that holds no bucket.
     *
     * @param positions records the progress
     * @param deadLetters takes rejected commands
     * @param bounds of every queue
     * @param maximumBufferedBytes for each bucket; a bucket with so many bytes that are not applied is not read
     */
    public BucketWriter(
            DeviceQueues queues,
            QueueSessions sessions,
            BucketPositions positions,
            MessageLog deadLetters,
            QueueBounds bounds,
            long maximumBufferedBytes,
            SteadyClock clock,
            ClientIncidents incidents,
            MeterRegistry metrics) {
        this.sessions = sessions;
        this.positions = positions;
        this.bounds = bounds;
        this.maximumBufferedBytes = maximumBufferedBytes;
        this.clock = clock;
        this.metrics = metrics;
        this.steps = new BucketSteps(
                queues,
                sessions,
                positions,
                new DeadLetters(deadLetters, clock, metrics),
                bounds,
                clock,
                incidents,
                metrics);
        this.chains = new AtomicReferenceArray<>(positions.count());
        Gauge.builder("heddle.buckets.buffered.bytes", this, writer -> writer.bufferedBytes)
                .register(metrics);
    }

    /** The last failure to apply a bucket, or null. Any thread. */
    public @Nullable String fault() {
        return steps.fault();
    }

    /** Why a held bucket is not applied although its queues answer; null if it is applied or not held. Any thread. */
    public @Nullable String blockReason(int bucket) {
        BucketChain chain = chains.get(bucket);
        return chain == null ? null : chain.blockReason();
    }

    @Override
    public void start(Executor readingThread) {
        owner.assertCurrent();
        steps.start(readingThread);
    }

    @Override
    public void hold(Set<Integer> buckets) {
        owner.assertCurrent();
        for (int bucket : new TreeSet<>(buckets)) {
            if (chains.get(bucket) == null) {
                positions.hold(bucket);
                chains.set(bucket, new BucketChain(bucket, new CatchUpThrottle(bounds, clock, metrics)));
            }
        }
    }

    @Override
    public CompletionStage<Void> release(Set<Integer> buckets) {
        owner.assertCurrent();
        for (int bucket : new TreeSet<>(buckets)) {
            BucketChain chain = chains.getAndSet(bucket, null);
            if (chain != null) {
                releasing.add(chain);
                steps.release(chain);
            }
        }
        new TreeSet<>(buckets).forEach(positions::release);
        return CompletableFuture.allOf(releasing.stream()
                .filter(chain -> buckets.contains(chain.bucket))
                .map(BucketChain::finishing)
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Called after the tasks of the thread, so that an answer that has arrived is not overdue. */
    private void finishReleased(long nowMillis) {
        releasing.removeIf(chain -> {
            if (!chain.isFinished()) {
                steps.abandon(chain, nowMillis);
            }
            return chain.isFinished();
        });
    }

    @Override
    public void advance() {
        owner.assertCurrent();
        long nowMillis = clock.millis();
        finishReleased(nowMillis);
        queryPositions(nowMillis);
        long buffered = 0;
        for (int bucket = 0; bucket < chains.length(); bucket++) {
            BucketChain chain = chains.get(bucket);
            if (chain != null) {
                steps.advance(chain, nowMillis);
                steps.reportOverdue(chain, nowMillis);
                buffered += chain.bufferedBytes();
            }
        }
        bufferedBytes = buffered;
    }

    @Override
    public void sendPushes() {
        owner.assertCurrent();
        steps.sendPushes();
    }

    @Override
    public int pendingAnswers() {
        owner.assertCurrent();
        return steps.pendingAnswers();
    }

    @Override
    public long maximumWaitMillis() {
        owner.assertCurrent();
        long nowMillis = clock.millis();
        long wait = steps.pendingAnswers() > 0 ? 0 : LONGEST_WAIT_MILLIS;
        if (sessions.hasUnsentPushes()) {
            wait = Math.min(wait, UNSENT_WAIT_MILLIS);
        }
        for (int bucket = 0; wait > 0 && bucket < chains.length(); bucket++) {
            BucketChain chain = chains.get(bucket);
            if (chain != null) {
                wait = Math.min(wait, chain.maximumWaitMillis(nowMillis, LONGEST_WAIT_MILLIS));
            }
        }
        return wait;
    }

    @Override
    public void rewind(Set<Integer> buckets) {
        owner.assertCurrent();
        for (int bucket : buckets) {
            BucketChain chain = chains.get(bucket);
            if (chain != null) {
                chain.invalidatePosition();
            }
        }
    }

    @Override
    public Map<Integer, Long> takeSeeks() {
        owner.assertCurrent();
        Map<Integer, Long> seeks = Map.of();
        for (int bucket = 0; bucket < chains.length(); bucket++) {
            BucketChain chain = chains.get(bucket);
            Long afterOffset = chain == null ? null : chain.takeSeek();
            if (afterOffset != null) {
                seeks = seeks.isEmpty() ? new HashMap<>() : seeks;
                seeks.put(bucket, afterOffset);
            }
        }
        return seeks;
    }

    @Override
    public boolean canRead(int bucket) {
        owner.assertCurrent();
        BucketChain chain = chains.get(bucket);
        return chain != null && chain.canRead(maximumBufferedBytes);
    }

    @Override
    public void onCommands(int bucket, List<Logged> commands, long firstMillis) {
        owner.assertCurrent();
        requireHeld(bucket).add(commands, firstMillis);
    }

    @Override
    public void onReached(int bucket, long nextOffset) {
        owner.assertCurrent();
        BucketChain chain = requireHeld(bucket);
        if (chain.isPositioned()) {
            positions.applied(bucket, chain.readUpTo(nextOffset - 1));
        }
    }

    @Override
    public void onStopped(int bucket, String reason) {
        owner.assertCurrent();
        // The adapter of the log counts this and logs what the operator must do.
        log.debug("The log of bucket {} is not read again in this holding: {}", bucket, reason);
        requireHeld(bucket).stop(reason);
        positions.onStopped(bucket);
    }

    /** Queries the positions of queues where they are unknown, and registers connected sessions there before anything is applied. */
    private void queryPositions(long nowMillis) {
        Set<Integer> queried = Set.of();
        for (int bucket = 0; bucket < chains.length(); bucket++) {
            BucketChain chain = chains.get(bucket);
            if (chain != null && chain.mustQueryPosition(nowMillis)) {
                queried = queried.isEmpty() ? new TreeSet<>() : queried;
                queried.add(bucket);
            }
        }
        if (queried.isEmpty()) {
            return;
        }
        Map<Integer, CompletionStage<Void>> registrations = sessions.reRegisterSessions(queried);
        for (int bucket : queried) {
            steps.queryPosition(requireHeld(bucket), registrations.get(bucket), nowMillis);
        }
    }

    private BucketChain requireHeld(int bucket) {
        BucketChain chain = chains.get(bucket);
        if (chain == null) {
            throw new IllegalStateException("bucket " + bucket + " is not held");
        }
        return chain;
    }
}

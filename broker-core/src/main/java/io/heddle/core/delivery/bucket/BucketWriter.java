package io.heddle.core.delivery.bucket;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketApplied.Done;
import io.heddle.core.delivery.device.BucketApplied.Gap;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the bucket logs to the queues, each log in its order and independently of the others, and tells connected sessions what they
 * got. Belongs to the thread that reads the logs, which never waits here: answers come back as its tasks.
 *
 * <p>Each bucket has a {@link BucketChain}: in step → behind (its queues went back or do not answer: where they stand is asked, and the
 * log is read again from there) → in step. A command that the queues reject for good is set aside as a dead letter, and the chain goes
 * on. Bound: one batch of each bucket is under way, and {@code maximumBufferedBytes} for each bucket wait.
 */
public final class BucketWriter implements BucketSink {
    private static final Logger log = LoggerFactory.getLogger(BucketWriter.class);

    private static final long LONGEST_PATIENCE_MILLIS = 1_000;
    private static final long REPORT_PAUSE_MILLIS = 5_000;
    /** When so many commands in a row are rejected altogether, it is not they that are at fault. */
    private static final int MAXIMUM_LEFT_OUT = 10;

    private final DeviceQueues queues;
    private final QueueSessions sessions;
    private final BucketPositions positions;
    private final DeadLetters deadLetters;
    private final QueueBounds bounds;
    private final long maximumBufferedBytes;
    private final SteadyClock clock;
    private final EnqueueResults results;
    private final BucketChain[] chains;
    private final AnswerTimes answerTimes = new AnswerTimes();
    private Executor thread = Runnable::run;
    private int awaited;
    private long reportedMillis = Long.MIN_VALUE / 2;
    private volatile long bufferedBytes;
    private volatile @Nullable String fault;

    private final Counter failures;
    private final Counter rolledBack;

    /**
     * A writer of all buckets whose logs this node reads.
     *
     * @param positions is told how far it is
     * @param deadLetters takes the commands that the queues reject
     * @param bounds of every queue
     * @param maximumBufferedBytes of each bucket: when so many bytes were read and not applied, it is not read
     */
    public BucketWriter(
            DeviceQueues queues,
            QueueSessions sessions,
            BucketPositions positions,
            MessageLog deadLetters,
            QueueBounds bounds,
            long maximumBufferedBytes,
            SteadyClock clock,
            MeterRegistry metrics) {
        this.queues = queues;
        this.sessions = sessions;
        this.positions = positions;
        this.deadLetters = new DeadLetters(deadLetters, clock, metrics);
        this.bounds = bounds;
        this.maximumBufferedBytes = maximumBufferedBytes;
        this.clock = clock;
        this.results = new EnqueueResults(sessions, metrics);
        this.chains = new BucketChain[positions.count()];
        for (int bucket = 0; bucket < chains.length; bucket++) {
            chains[bucket] = new BucketChain(bucket, new CatchUpThrottle(bounds, clock, metrics));
        }
        this.failures = metrics.counter("heddle.buckets.apply.failures");
        this.rolledBack = metrics.counter("heddle.buckets.rollbacks");
        Gauge.builder("heddle.buckets.buffered.bytes", this, writer -> writer.bufferedBytes)
                .register(metrics);
    }

    /** Why a bucket could not be applied the last time that this happened, or null. Any thread. */
    public @Nullable String fault() {
        return fault;
    }

    /** Why a bucket takes nothing although its queues answer, or null. Any thread. */
    public @Nullable String rejection(int bucket) {
        return chains[bucket].rejection();
    }

    @Override
    public void begin(Executor readingThread) {
        thread = readingThread;
    }

    @Override
    public void turn() {
        long nowMillis = clock.millis();
        ask(nowMillis);
        long buffered = 0;
        for (BucketChain chain : chains) {
            advance(chain, nowMillis);
            if (chain.isStalled(nowMillis, answerTimes)) {
                positions.stalled(chain.bucket);
            }
            buffered += chain.bufferedBytes();
        }
        bufferedBytes = buffered;
    }

    @Override
    public void tell() {
        results.send();
    }

    @Override
    public int awaited() {
        return awaited;
    }

    @Override
    public long patienceMillis() {
        long nowMillis = clock.millis();
        long patience = awaited > 0 ? 0 : LONGEST_PATIENCE_MILLIS;
        for (int i = 0; patience > 0 && i < chains.length; i++) {
            patience = Math.min(patience, chains[i].patienceMillis(nowMillis, LONGEST_PATIENCE_MILLIS));
        }
        return patience;
    }

    @Override
    public void rewind(Set<Integer> buckets) {
        for (int bucket : buckets) {
            chains[bucket].doubt();
        }
    }

    @Override
    public Map<Integer, Long> takeSeeks() {
        Map<Integer, Long> seeks = Map.of();
        for (BucketChain chain : chains) {
            Long behind = chain.takeSeek();
            if (behind != null) {
                seeks = seeks.isEmpty() ? new HashMap<>() : seeks;
                seeks.put(chain.bucket, behind);
            }
        }
        return seeks;
    }

    @Override
    public boolean takes(int bucket) {
        return chains[bucket].takes(maximumBufferedBytes);
    }

    @Override
    public void read(int bucket, List<Logged> commands, long firstMillis) {
        chains[bucket].add(commands, firstMillis);
    }

    @Override
    public void reached(int bucket, long nextOffset) {
        BucketChain chain = chains[bucket];
        if (chain.isPlaced()) {
            positions.applied(bucket, chain.readUpTo(nextOffset - 1));
        }
    }

    @Override
    public void stopped(int bucket, String reason) {
        // The log's adapter counts it and tells the operator what to do.
        log.debug("bucket {} is not read any more: {}", bucket, reason);
        positions.stopped(bucket);
    }

    /** Runs a step of a chain; what follows its answer runs on the thread that reads. A step that can't even be begun has failed. */
    private <T> void step(Supplier<CompletionStage<T>> question, BiConsumer<T, @Nullable Throwable> next) {
        CompletionStage<T> answer;
        try {
            answer = question.get();
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedStage(e);
        }
        awaited++;
        answer.whenComplete((value, failure) -> thread.execute(() -> {
            awaited--;
            next.accept(value, failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
        }));
    }

    /** Asks where the queues stand, and makes connected sessions known there before anything is applied. */
    private void ask(long nowMillis) {
        Set<Integer> asked = Set.of();
        for (BucketChain chain : chains) {
            if (chain.mustAsk(nowMillis)) {
                asked = asked.isEmpty() ? new HashSet<>() : asked;
                asked.add(chain.bucket);
            }
        }
        if (asked.isEmpty()) {
            return;
        }
        Map<Integer, CompletionStage<Void>> known = sessions.bucketsRolledBack(asked);
        for (int bucket : asked) {
            BucketChain chain = chains[bucket];
            chain.begin(nowMillis);
            CompletionStage<Void> sessionsKnown = known.get(bucket);
            step(
                    () -> sessionsKnown == null
                            ? queues.position(bucket)
                            : queues.position(bucket).thenCombine(sessionsKnown, (found, _) -> found),
                    (found, failure) -> stands(chain, found, failure));
        }
    }

    private void stands(BucketChain chain, BucketPosition position, @Nullable Throwable failure) {
        if (failure != null) {
            failed(chain, failure);
            return;
        }
        BucketPosition known = positions.known(chain.bucket);
        if (known != null && position.incarnation() != known.incarnation()) {
            chain.lostEverything();
        }
        if (position.isBehind(known)) {
            rolledBack.increment();
            chain.pace.rolledBack();
            log.warn(
                    "Bucket {}: its queues stand at offset {} and have forgotten what they had before: reading again from there",
                    chain.bucket,
                    position.appliedOffset());
        }
        place(chain, position);
    }

    private void place(BucketChain chain, BucketPosition position) {
        chain.place(position.appliedOffset());
        positions.stands(chain.bucket, position);
        positions.applied(chain.bucket, position.appliedOffset());
    }

    private void advance(BucketChain chain, long nowMillis) {
        if (chain.mustEndFeeds(nowMillis)) {
            endFeeds(chain, nowMillis);
            return;
        }
        BucketBatch batch = chain.next(nowMillis);
        if (batch != null) {
            step(
                    () -> queues.apply(batch, bounds, this::pushedUpTo, nowMillis),
                    (applied, failure) -> answered(chain, batch, applied, failure));
        }
    }

    /** Asks for the position as well: acknowledgements that were sent before are carried out when it is answered. */
    private void endFeeds(BucketChain chain, long nowMillis) {
        chain.begin(nowMillis);
        step(
                () -> sessions.numbersBeganAnew(chain.bucket, chain.completeFrom())
                        .thenCompose(_ -> queues.position(chain.bucket)),
                (_, failure) -> {
                    if (failure != null) {
                        failed(chain, failure);
                        return;
                    }
                    chain.feedsEnded();
                    advance(chain, clock.millis());
                });
    }

    private long pushedUpTo(ClientId clientId, long generation) {
        QueueSessions.Reader reader = sessions.reader(clientId, generation);
        return reader == null ? PushedUpTo.NOTHING : reader.pushedUpTo();
    }

    private void answered(BucketChain chain, BucketBatch batch, BucketApplied applied, @Nullable Throwable failure) {
        if (failure instanceof StoreRejectedException) {
            rejected(chain, failure);
            return;
        }
        if (failure != null) {
            chain.pace.unanswered(chain.sinceMillis());
            failed(chain, failure);
            return;
        }
        chain.pace.answered(chain.sinceMillis());
        answerTimes.answered(chain.sinceMillis(), clock.millis());
        switch (applied) {
            case Done done -> {
                results.add(batch, done, chain.pace);
                positions.took(chain.bucket, chain.takenWrites(), clock.millis() - chain.sinceMillis());
                positions.stands(chain.bucket, done.position());
                positions.applied(chain.bucket, chain.applied());
                advance(chain, clock.millis());
            }
            case Gap gap -> behind(chain, batch, gap.position());
        }
    }

    private void failed(BucketChain chain, Throwable failure) {
        long nowMillis = clock.millis();
        failures.increment();
        fault = failure.getMessage();
        positions.stalled(chain.bucket);
        long pauseMillis = chain.failed(nowMillis, failure);
        log.debug("bucket {} is tried again in {} ms", chain.bucket, pauseMillis, failure);
        // A server that is away for a moment is nobody's worry; one that stays away is.
        if (pauseMillis == BucketChain.LONGEST_PAUSE_MILLIS && nowMillis - reportedMillis >= REPORT_PAUSE_MILLIS) {
            reportedMillis = nowMillis;
            log.warn(
                    "The log of bucket {}, and perhaps of others, is not applied to its queues and tried again every {} s: {}",
                    chain.bucket,
                    pauseMillis / 1_000,
                    failure.toString());
        }
    }

    /** The queues have forgotten something: where they stand is asked again, when they know who is connected. */
    private void behind(BucketChain chain, BucketBatch batch, BucketPosition position) {
        log.debug(
                "bucket {}: its queues stand at offset {}, but {} was to follow {}",
                chain.bucket,
                position.appliedOffset(),
                batch.commands().getFirst().offset(),
                batch.precedingOffset());
        positions.applied(chain.bucket, position.appliedOffset());
        chain.behind();
    }

    private void rejected(BucketChain chain, Throwable rejection) {
        failures.increment();
        Logged poison = chain.rejected();
        if (poison == null) {
            advance(chain, clock.millis());
            return;
        }
        // A bucket that does not even say where it stands is broken itself, and no command of it is to blame.
        step(() -> queues.position(chain.bucket), (_, failure) -> {
            if (failure != null) {
                failed(chain, failure);
            } else if (poison.rejected()) {
                leaveOut(chain, poison, rejection);
            } else {
                setAside(chain, poison, rejection);
            }
        });
    }

    private void setAside(BucketChain chain, Logged poison, Throwable rejection) {
        step(() -> deadLetters.append(chain.bucket, poison, rejection), (_, failure) -> {
            if (failure != null) {
                failed(chain, failure);
                return;
            }
            chain.setAside();
            deadLetters.appended(chain.bucket, poison, rejection);
            advance(chain, clock.millis());
        });
    }

    /** The queues rejected even the numbers of a command. */
    private void leaveOut(BucketChain chain, Logged poison, Throwable rejection) {
        if (chain.leftOut() >= MAXIMUM_LEFT_OUT) {
            deadLetters.alert(
                    "holds up its bucket, as every command before it was rejected, too: repair the bucket in Redis",
                    chain.bucket,
                    poison,
                    rejection);
            failed(chain, rejection);
            return;
        }
        deadLetters.alert(
                "is left out, and its recipients' queues have no number for it", chain.bucket, poison, rejection);
        chain.leaveOut();
        advance(chain, clock.millis());
    }
}

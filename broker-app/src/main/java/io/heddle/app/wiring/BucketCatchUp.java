package io.heddle.app.wiring;

import static java.util.Objects.requireNonNull;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.lifecycle.StartupException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits, during startup, until the logs of the held buckets are applied to their ends. Belongs to the starting thread; a timer checks the
 * progress of the applying thread. A blocked bucket is not waited for unless all held buckets are blocked.
 */
final class BucketCatchUp {
    private static final Logger log = LoggerFactory.getLogger(BucketCatchUp.class);

    private static final long PAUSE_MILLIS = 20;

    private final BucketPositions positions;
    private final Supplier<@Nullable String> fault;
    private final IntFunction<@Nullable String> blockReason;
    private final LongSupplier nanoTime;

    /**
     * @param fault the last failure to apply a bucket, or null
     * @param blockReason why a bucket is not applied although its queues answer, or null
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    BucketCatchUp(
            BucketPositions positions,
            Supplier<@Nullable String> fault,
            IntFunction<@Nullable String> blockReason,
            LongSupplier nanoTime) {
        this.positions = positions;
        this.fault = fault;
        this.blockReason = blockReason;
        this.nanoTime = nanoTime;
    }

    /**
     * Returns when every held bucket that can be applied is applied to its end.
     *
     * @param ends of the logs of all buckets
     * @param held the buckets to wait for
     * @param silence the longest time without progress before the start fails
     */
    void await(CompletionStage<List<Long>> ends, Set<Integer> held, Duration silence) {
        try {
            List<Long> all = ends.toCompletableFuture().get(silence.toMillis(), TimeUnit.MILLISECONDS);
            SortedMap<Integer, Long> wanted = new TreeMap<>();
            held.forEach(bucket -> wanted.put(bucket, all.get(bucket)));
            await(wanted, silence);
        } catch (ExecutionException | TimeoutException e) {
            throw new StoreUnavailableException("Kafka did not report the ends of the bucket logs", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("The start was interrupted", e);
        }
    }

    /** @param wanted the ends of the logs of the held buckets */
    private void await(SortedMap<Integer, Long> wanted, Duration silence) throws InterruptedException {
        CompletableFuture<Map<Integer, String>> applied = new CompletableFuture<>();
        Check check = new Check(wanted, silence, applied);
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("heddle-catch-up").factory())) {
            var _ = timer.scheduleWithFixedDelay(check, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            try {
                applied.get()
                        .forEach((bucket, reason) -> startWithout(bucket, requireNonNull(wanted.get(bucket)), reason));
            } catch (ExecutionException e) {
                throw e.getCause() instanceof StartupException refusal
                        ? refusal
                        : new IllegalStateException(e.getCause());
            } finally {
                timer.shutdownNow();
            }
        }
    }

    /** Checks the progress of the applying thread; the timer repeats the check. Owned by the thread of the timer. */
    private final class Check implements Runnable {
        private final SortedMap<Integer, Long> wanted;
        private final Duration silence;
        private final CompletableFuture<Map<Integer, String>> result;
        private final long all;
        private long before = -1;
        private long lastProgressNanos = nanoTime.getAsLong();

        Check(SortedMap<Integer, Long> wanted, Duration silence, CompletableFuture<Map<Integer, String>> result) {
            this.wanted = wanted;
            this.silence = silence;
            this.result = result;
            this.all = wanted.values().stream().mapToLong(end -> end + 1).sum();
        }

        @Override
        public void run() {
            try {
                check();
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        }

        private void check() {
            Map<Integer, String> stuck = stuck(wanted);
            long now = applied(wanted, stuck);
            if (!wanted.isEmpty() && stuck.size() == wanted.size()) {
                result.completeExceptionally(
                        new StartupException(stuck.values().iterator().next(), null));
            } else if (now >= all) {
                result.complete(stuck);
            } else if (now != before) {
                before = now;
                lastProgressNanos = nanoTime.getAsLong();
            } else if (nanoTime.getAsLong() - lastProgressNanos > silence.toNanos()) {
                result.completeExceptionally(silent(silence));
            }
        }
    }

    /** Returns the blocked buckets whose queues are behind the ends of their logs, with the reasons. */
    private Map<Integer, String> stuck(SortedMap<Integer, Long> wanted) {
        Map<Integer, String> stuck = new TreeMap<>();
        wanted.forEach((bucket, end) -> {
            String reason = blockReason.apply(bucket);
            if (reason != null && positions.appliedOffset(bucket) + 1 < end) {
                stuck.put(bucket, reason);
            }
        });
        return stuck;
    }

    private void startWithout(int bucket, long end, String reason) {
        log.error(
                "The start does not wait for bucket {}: its clients with stored sessions are refused until it is repaired: {}",
                bucket,
                reason);
        // Sessions of the bucket wait until the records in its log are applied.
        positions.appended(bucket, end - 1, 0, 0);
    }

    private StartupException silent(Duration silence) {
        String lastFault = fault.get();
        return new StartupException(
                lastFault == null
                        ? "the bucket logs were not read to their ends: Kafka or Redis did not answer for "
                                + silence.toSeconds() + " seconds; look at their logs"
                        : "the bucket logs were not applied to the queues within " + silence.toSeconds() + " seconds: "
                                + lastFault
                                + ". If Kafka and Redis belong to different clusters, correct"
                                + " heddle.kafka.bootstrap-servers or heddle.redis.url",
                null);
    }

    /** Returns the sum over the wanted buckets that are stuck or have a known position: 1, and the applied records up to the wanted end. */
    private long applied(SortedMap<Integer, Long> wanted, Map<Integer, String> stuck) {
        long sum = 0;
        for (Map.Entry<Integer, Long> each : wanted.entrySet()) {
            int bucket = each.getKey();
            long end = each.getValue();
            if (stuck.containsKey(bucket)) {
                sum += 1 + end;
            } else if (positions.lastPosition(bucket) != null) {
                sum += 1 + Math.min(positions.appliedOffset(bucket) + 1, end);
            }
        }
        return sum;
    }
}

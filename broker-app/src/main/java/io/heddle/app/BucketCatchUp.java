package io.heddle.app;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketSink;
import io.heddle.core.lifecycle.StartupException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Watches how far a sink has read the bucket logs, so that a start can wait for their ends. The reading thread tells, the starting
 * thread waits.
 */
final class BucketCatchUp implements BucketSink {
    private final BucketSink sink;
    private final long[] nextOffsets;
    private @Nullable String stopped;
    private @Nullable String lastFault;

    BucketCatchUp(BucketSink sink, int bucketCount) {
        this.sink = sink;
        this.nextOffsets = new long[bucketCount];
        Arrays.fill(nextOffsets, BucketBatch.NOTHING);
    }

    @Override
    public long appliedOffset(int bucket) {
        long applied;
        try {
            applied = sink.appliedOffset(bucket);
        } catch (StoreUnavailableException e) {
            failed(e);
            throw e;
        }
        synchronized (this) {
            nextOffsets[bucket] = applied + 1;
            notifyAll();
        }
        return applied;
    }

    @Override
    public Map<Integer, Long> appliedOffsets(Set<Integer> buckets) {
        return sink.appliedOffsets(buckets);
    }

    @Override
    public Map<Integer, Long> apply(List<BucketBatch> batches) {
        try {
            return sink.apply(batches);
        } catch (StoreUnavailableException e) {
            failed(e);
            throw e;
        }
    }

    private synchronized void failed(StoreUnavailableException fault) {
        lastFault = fault.getMessage();
    }

    @Override
    public synchronized void reached(int bucket, long nextOffset) {
        sink.reached(bucket, nextOffset);
        nextOffsets[bucket] = nextOffset;
        notifyAll();
    }

    @Override
    public synchronized void stopped(int bucket, String reason) {
        sink.stopped(bucket, reason);
        stopped = reason;
        notifyAll();
    }

    /**
     * Returns when every bucket was read to its end.
     *
     * @param silence how long nothing may happen before the start is given up
     */
    void await(CompletionStage<List<Long>> ends, Duration silence) {
        try {
            List<Long> wanted = ends.toCompletableFuture().get(silence.toMillis(), TimeUnit.MILLISECONDS);
            await(wanted, silence);
        } catch (ExecutionException | TimeoutException e) {
            throw new StoreUnavailableException("Kafka did not say where the bucket logs end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("The start was interrupted", e);
        }
    }

    private synchronized void await(List<Long> wanted, Duration silence) throws InterruptedException {
        long last = System.nanoTime();
        long read = -1;
        while (!isThere(wanted)) {
            if (stopped != null) {
                throw new StartupException(stopped, null);
            }
            long now = Arrays.stream(nextOffsets).sum();
            if (now != read) {
                read = now;
                last = System.nanoTime();
            } else if (System.nanoTime() - last > silence.toNanos()) {
                throw new StartupException(
                        lastFault == null
                                ? "the bucket logs were not read to their ends: Kafka or Redis did not answer for "
                                        + silence.toSeconds() + " seconds; look at their logs"
                                : "the bucket logs were not applied to the queues within " + silence.toSeconds()
                                        + " seconds: " + lastFault
                                        + ". If Kafka and Redis belong to different clusters, correct"
                                        + " heddle.kafka.bootstrap-servers or heddle.redis.url",
                        null);
            }
            wait(100);
        }
    }

    private boolean isThere(List<Long> wanted) {
        for (int bucket = 0; bucket < nextOffsets.length; bucket++) {
            if (nextOffsets[bucket] < wanted.get(bucket)) {
                return false;
            }
        }
        return true;
    }
}

package io.heddle.app;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.BucketPositions;
import io.heddle.core.delivery.device.BucketSink;
import io.heddle.core.lifecycle.StartupException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches how far a sink has applied the bucket logs, so that a start can wait for their ends. The reading thread tells, the starting
 * thread waits.
 */
final class BucketCatchUp implements BucketSink {
    private static final long PAUSE_MILLIS = 20;

    private final BucketSink sink;
    private final BucketPositions positions;
    private final Supplier<@Nullable String> fault;
    // Guarded by this.
    private @Nullable String stopped;

    /** @param fault why the sink could not go on the last time, or null */
    BucketCatchUp(BucketSink sink, BucketPositions positions, Supplier<@Nullable String> fault) {
        this.sink = sink;
        this.positions = positions;
        this.fault = fault;
    }

    @Override
    public void begin(Executor thread) {
        sink.begin(thread);
    }

    @Override
    public void turn() {
        sink.turn();
    }

    @Override
    public void tell() {
        sink.tell();
    }

    @Override
    public int awaited() {
        return sink.awaited();
    }

    @Override
    public long patienceMillis() {
        return sink.patienceMillis();
    }

    @Override
    public void rewind(Set<Integer> buckets) {
        sink.rewind(buckets);
    }

    @Override
    public Map<Integer, Long> takeSeeks() {
        return sink.takeSeeks();
    }

    @Override
    public boolean takes(int bucket) {
        return sink.takes(bucket);
    }

    @Override
    public void read(int bucket, List<Logged> commands, long firstMillis) {
        sink.read(bucket, commands, firstMillis);
    }

    @Override
    public void reached(int bucket, long nextOffset) {
        sink.reached(bucket, nextOffset);
    }

    @Override
    public void stopped(int bucket, String reason) {
        sink.stopped(bucket, reason);
        synchronized (this) {
            stopped = reason;
            notifyAll();
        }
    }

    /**
     * Returns when every bucket is applied to its end.
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
        long all = wanted.stream().mapToLong(end -> end + 1).sum();
        long last = System.nanoTime();
        long before = -1;
        long now = applied(wanted);
        while (now < all) {
            if (stopped != null) {
                throw new StartupException(stopped, null);
            }
            if (now != before) {
                before = now;
                last = System.nanoTime();
            } else if (System.nanoTime() - last > silence.toNanos()) {
                throw silent(silence);
            }
            wait(PAUSE_MILLIS);
            now = applied(wanted);
        }
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

    /** Of each bucket whose queues have said where they stand: 1, and how much of the log up to its wanted end they have. */
    private long applied(List<Long> wanted) {
        long sum = 0;
        for (int bucket = 0; bucket < wanted.size(); bucket++) {
            if (positions.known(bucket) != null) {
                sum += 1 + Math.min(positions.appliedOffset(bucket) + 1, wanted.get(bucket));
            }
        }
        return sum;
    }
}

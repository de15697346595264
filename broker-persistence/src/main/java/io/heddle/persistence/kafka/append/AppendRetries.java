package io.heddle.persistence.kafka.append;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that retries destinations with queued records; it sleeps while there are none. Kafka's client does not signal that memory
 * or metadata is available again, so the thread polls every few milliseconds; each retry also requests the metadata.
 */
final class AppendRetries implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AppendRetries.class);
    private static final long RETRY_INTERVAL_NANOS = Duration.ofMillis(5).toNanos();
    private static final long LOG_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

    private final Producer<byte[], byte[]> producer;
    private final LongSupplier nanoTime;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final Set<Destination> blocked = new LinkedHashSet<>();
    private boolean closed;

    AppendRetries(String name, Producer<byte[], byte[]> producer, LongSupplier nanoTime) {
        this.producer = producer;
        this.nanoTime = nanoTime;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Schedules a destination with queued records. Any thread. */
    void add(Destination destination) {
        lock.lock();
        try {
            if (blocked.add(destination)) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        long blockedSinceNanos = 0;
        try {
            while (true) {
                List<Destination> turn = next();
                if (turn.isEmpty()) {
                    return;
                }
                // An append during the drain adds its destination again.
                List<Destination> undrained = turn.stream()
                        .filter(destination -> !destination.drain(producer))
                        .toList();
                if (undrained.isEmpty()) {
                    blockedSinceNanos = 0;
                    continue;
                }
                long now = nanoTime.getAsLong();
                blockedSinceNanos = blockedSinceNanos == 0 ? now : blockedSinceNanos;
                if (now - blockedSinceNanos > LOG_INTERVAL_NANOS) {
                    blockedSinceNanos = now;
                    log.warn(
                            "Kafka is not accepting writes to {}; appends are queued and acknowledgements delayed",
                            undrained.getFirst().topic());
                }
                putBackAndPause(undrained);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(
                    Thread.currentThread().getName() + " was interrupted, which no part of Heddle does", e);
        }
    }

    private List<Destination> next() throws InterruptedException {
        lock.lock();
        try {
            while (blocked.isEmpty() && !closed) {
                changed.await();
            }
            if (closed) {
                return List.of();
            }
            List<Destination> turn = new ArrayList<>(blocked);
            blocked.clear();
            return turn;
        } finally {
            lock.unlock();
        }
    }

    private void putBackAndPause(List<Destination> undrained) throws InterruptedException {
        lock.lock();
        try {
            blocked.addAll(undrained);
            long left = RETRY_INTERVAL_NANOS;
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread. Queued records stay at their destinations. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(1));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

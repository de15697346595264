package io.heddle.persistence.kafka.append;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that tries again for the destinations where records wait. Asleep as long as none does. It needs no sign that there is
 * memory or metadata again, for which Kafka's client has none: each try asks for the metadata, and tries follow each other quickly.
 */
final class WaitingAppends implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WaitingAppends.class);
    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();
    private static final long LONG_WAIT_NANOS = Duration.ofSeconds(10).toNanos();

    private final Producer<byte[], byte[]> producer;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final Set<Destination> stuck = new LinkedHashSet<>();
    private boolean closed;

    /** @param name of the thread */
    WaitingAppends(String name, Producer<byte[], byte[]> producer) {
        this.producer = producer;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Something waits there. Any thread. */
    void add(Destination destination) {
        lock.lock();
        try {
            if (stuck.add(destination)) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        long waitingSince = 0;
        try {
            while (true) {
                List<Destination> turn = next();
                if (turn.isEmpty()) {
                    return;
                }
                // What is appended while these are drained puts its destination in again.
                List<Destination> still = turn.stream()
                        .filter(destination -> !destination.drain(producer))
                        .toList();
                if (still.isEmpty()) {
                    waitingSince = 0;
                    continue;
                }
                long now = System.nanoTime();
                waitingSince = waitingSince == 0 ? now : waitingSince;
                if (now - waitingSince > LONG_WAIT_NANOS) {
                    waitingSince = now;
                    log.warn(
                            "Appends to {} wait: Kafka does not take them. Who published them waits for the acknowledgement",
                            still.getFirst().topic());
                }
                putBackAndPause(still);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(
                    "nobody interrupts " + Thread.currentThread().getName(), e);
        }
    }

    private List<Destination> next() throws InterruptedException {
        lock.lock();
        try {
            while (stuck.isEmpty() && !closed) {
                changed.await();
            }
            if (closed) {
                return List.of();
            }
            List<Destination> turn = new ArrayList<>(stuck);
            stuck.clear();
            return turn;
        } finally {
            lock.unlock();
        }
    }

    private void putBackAndPause(List<Destination> still) throws InterruptedException {
        lock.lock();
        try {
            stuck.addAll(still);
            long left = PAUSE_NANOS;
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread; what still waits stays with its destinations. */
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

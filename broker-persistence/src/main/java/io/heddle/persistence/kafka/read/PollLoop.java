package io.heddle.persistence.kafka.read;

import io.heddle.core.watchdog.WatchedThread;
import io.heddle.core.watchdog.WatchedThreads;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Polls a consumer; no other class does. Owns the consumer and the thread that polls it, from {@link #start} to {@link #close}. The
 * handler runs on that thread. A failed turn is retried after a pause that grows to {@value #MAXIMUM_PAUSE_SECONDS} seconds; the handler
 * then seeks to the first unhandled record.
 *
 * <p>Metric: {@code heddle.poll.failures{loop}}.
 */
public final class PollLoop implements AutoCloseable {
    /** Handles the polled records. All methods are called on the loop's thread. */
    public interface Handler {
        /**
         * Assigns, seeks and pauses partitions. Called before each poll.
         *
         * @throws RuntimeException when that fails; the loop retries
         */
        void prepare(Consumer<byte[], byte[]> consumer);

        /** Returns whether no partition is assigned: the loop then waits for the same time instead of polling. Asked before each poll. */
        default boolean isIdle() {
            return false;
        }

        /** Returns the maximum wait of the next poll for records. */
        default Duration pollTimeout() {
            return MAXIMUM_POLL;
        }

        /** Handles the records, of which there may be none. May block. */
        void onPolled(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records);

        /**
         * Handles a failure of the turn. The next {@link #prepare} must seek behind the last handled record.
         *
         * @return true if the fault is handled, so that the loop neither logs it nor pauses
         */
        boolean onFailure(RuntimeException fault, Consumer<byte[], byte[]> consumer);
    }

    /** More than the time of a turn, unless a thread stands still. */
    public static final Duration LONGEST_TURN = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(PollLoop.class);
    private static final Duration MAXIMUM_POLL = Duration.ofSeconds(1);
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(50).toNanos();
    private static final int MAXIMUM_PAUSE_SECONDS = 5;
    private static final long MAXIMUM_PAUSE_NANOS =
            Duration.ofSeconds(MAXIMUM_PAUSE_SECONDS).toNanos();

    private final Consumer<byte[], byte[]> consumer;
    private final Handler handler;
    private final Thread thread;
    private final Counter failures;
    private final WatchedThreads threads;
    private final WatchedThread watched;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition waking = lock.newCondition();
    // Guarded by lock.
    private boolean closed;
    private boolean woken;

    /** @param threads of the node, to which the one of this loop belongs until the loop is closed */
    public PollLoop(
            String name,
            Consumer<byte[], byte[]> consumer,
            Handler handler,
            WatchedThreads threads,
            MeterRegistry registry) {
        this.consumer = consumer;
        this.handler = handler;
        this.threads = threads;
        this.watched = threads.add(name);
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
        this.failures = Counter.builder("heddle.poll.failures")
                .description("Failed and retried turns of a loop that polls Kafka and handles the records")
                .tag("loop", name)
                .register(registry);
    }

    public void start() {
        thread.start();
    }

    /** Interrupts a waiting poll, so that the handler prepares again. Any thread. */
    public void wakeUp() {
        lock.lock();
        try {
            woken = true;
            waking.signal();
        } finally {
            lock.unlock();
        }
        consumer.wakeup();
    }

    private void run() {
        long pauseNanos = FIRST_PAUSE_NANOS;
        try {
            while (!isClosed()) {
                RuntimeException fault = turn();
                if (fault == null) {
                    pauseNanos = FIRST_PAUSE_NANOS;
                } else {
                    report(fault, pauseNanos);
                    pause(pauseNanos);
                    pauseNanos = Math.min(2 * pauseNanos, MAXIMUM_PAUSE_NANOS);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(thread.getName() + " was interrupted, which no part of Heddle does", e);
        } finally {
            threads.remove(watched);
            // The consumer is in no group and has nothing to commit. With a timeout, it would wait for the fetch in
            // flight, which Kafka may hold back for half a second.
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    /** Polls once and returns an unhandled fault, or null. */
    private @Nullable RuntimeException turn() throws InterruptedException {
        try {
            handler.prepare(consumer);
            pollAndHandle();
            return null;
        } catch (RuntimeException e) {
            // Includes the wake-up for close or a new prepare, which may have interrupted the current prepare.
            return handler.onFailure(e, consumer) ? null : e;
        }
    }

    private void pollAndHandle() throws InterruptedException {
        watched.begin();
        try {
            if (handler.isIdle()) {
                // A consumer without partitions refuses to poll.
                awaitWakeUp(handler.pollTimeout());
                handler.onPolled(consumer, ConsumerRecords.empty());
            } else {
                handler.onPolled(consumer, consumer.poll(handler.pollTimeout()));
            }
        } finally {
            watched.end();
        }
    }

    /** Warns only of a server that stays unavailable; a short outage needs no action. */
    private void report(RuntimeException fault, long pauseNanos) {
        failures.increment();
        Level level = pauseNanos == MAXIMUM_PAUSE_NANOS ? Level.WARN : Level.INFO;
        log.atLevel(level)
                .log(
                        "Poll loop {} failed; retrying in {} ms: {}",
                        thread.getName(),
                        TimeUnit.NANOSECONDS.toMillis(pauseNanos),
                        fault.toString());
        log.debug("Poll loop {} failed", thread.getName(), fault);
    }

    private void awaitWakeUp(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while (left > 0 && !closed && !woken) {
                left = waking.awaitNanos(left);
            }
            woken = false;
        } finally {
            lock.unlock();
        }
    }

    private void pause(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (left > 0 && !closed) {
                left = waking.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the loop and waits until its thread has ended. Must be called on another thread. */
    @Override
    public void close() {
        if (Thread.currentThread().equals(thread)) {
            throw new IllegalStateException(thread.getName() + " cannot wait for its own end");
        }
        lock.lock();
        try {
            closed = true;
            waking.signal();
        } finally {
            lock.unlock();
        }
        consumer.wakeup();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Polls on the calling thread, which owns the consumer meanwhile, until the condition holds.
     *
     * @param records receives the records of each poll, of which there may be none
     */
    public static void until(
            BooleanSupplier isDone,
            Consumer<byte[], byte[]> consumer,
            java.util.function.Consumer<ConsumerRecords<byte[], byte[]>> records) {
        while (!isDone.getAsBoolean()) {
            records.accept(consumer.poll(MAXIMUM_POLL));
        }
    }
}

package io.heddle.persistence.kafka.read;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The only one who polls. Owns a consumer and the thread that polls it, from {@link #start} to {@link #close}; its handler runs
 * on that thread. What fails is tried again after a pause that grows to some seconds: the handler says where to go on.
 *
 * <p>Metric: {@code heddle.poll.failures{loop}}.
 */
public final class PollLoop implements AutoCloseable {
    /** What is done with the records. On the loop's thread. */
    public interface Handler {
        /**
         * Before each poll: assigns, seeks, pauses.
         *
         * @throws RuntimeException when that is not possible now
         */
        void prepare(Consumer<byte[], byte[]> consumer);

        /** For how long the next poll may wait for records. */
        default Duration patience() {
            return LONGEST_POLL;
        }

        /** What came, perhaps nothing. May block. */
        void polled(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records);

        /**
         * Something of this failed: the next {@link #prepare} begins where everything is handled.
         *
         * @return whether it is dealt with, so that there is nothing to log and no pause
         */
        boolean failed(RuntimeException fault, Consumer<byte[], byte[]> consumer);
    }

    private static final Logger log = LoggerFactory.getLogger(PollLoop.class);
    private static final Duration LONGEST_POLL = Duration.ofSeconds(1);
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(50).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    private final Consumer<byte[], byte[]> consumer;
    private final Handler handler;
    private final Thread thread;
    private final Counter failures;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    // Guarded by lock.
    private boolean closed;

    /** @param name of the thread */
    public PollLoop(String name, Consumer<byte[], byte[]> consumer, Handler handler, MeterRegistry registry) {
        this.consumer = consumer;
        this.handler = handler;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
        this.failures = Counter.builder("heddle.poll.failures")
                .description("Times that reading from Kafka, or what is done with it, failed and was tried again")
                .tag("loop", name)
                .register(registry);
    }

    public void start() {
        thread.start();
    }

    /** Ends a poll that waits, so that the handler prepares again. Any thread. */
    public void wakeUp() {
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
                    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts " + thread.getName(), e);
        } finally {
            consumer.close();
        }
    }

    /** Polls once. What made it fail, or null. */
    private @Nullable RuntimeException turn() {
        try {
            handler.prepare(consumer);
            handler.polled(consumer, consumer.poll(handler.patience()));
            return null;
        } catch (RuntimeException e) {
            // Also the wake-up, to be closed or to be prepared anew: it may have cut the preparation short.
            return handler.failed(e, consumer) ? null : e;
        }
    }

    /** A server that is away for a moment is nobody's worry; one that stays away is. */
    private void report(RuntimeException fault, long pauseNanos) {
        failures.increment();
        Level level = pauseNanos == LONGEST_PAUSE_NANOS ? Level.WARN : Level.INFO;
        log.atLevel(level).log("{} failed and tries again: {}", thread.getName(), fault.toString());
        log.debug("{} failed", thread.getName(), fault);
    }

    private void pause(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (left > 0 && !closed) {
                left = closing.awaitNanos(left);
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

    /** Ends the loop and waits until its thread is done. Not to be called on it. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            closing.signal();
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
     * Polls on the calling thread, which owns the consumer meanwhile, until there is enough.
     *
     * @param records what is done with what came, perhaps nothing
     */
    public static void until(
            BooleanSupplier enough,
            Consumer<byte[], byte[]> consumer,
            java.util.function.Consumer<ConsumerRecords<byte[], byte[]>> records) {
        while (!enough.getAsBoolean()) {
            records.accept(consumer.poll(LONGEST_POLL));
        }
    }
}

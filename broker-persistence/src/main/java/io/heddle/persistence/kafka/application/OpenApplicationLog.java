package io.heddle.persistence.kafka.application;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ApplicationLogs;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * One client's log while it is read. The client's side is thread-safe, the rest belongs to the thread of its {@link ApplicationConsumer}.
 * Bound: what was read and not taken, {@value #MAXIMUM_UNTAKEN_BYTES} bytes and what one poll brings.
 */
final class OpenApplicationLog implements ApplicationLogs.Reading {
    private static final long MAXIMUM_UNTAKEN_BYTES = 256 << 10;
    private static final long RESUMED_BELOW_BYTES = MAXIMUM_UNTAKEN_BYTES / 2;

    private final ClientId clientId;
    private final TopicPartition partition;
    private final long generation;
    private final ApplicationLogs.Sink sink;
    private final Consumer<OpenApplicationLog> changed;
    private final AtomicLong untakenBytes = new AtomicLong();
    private volatile boolean paused;
    private volatile boolean closed;
    // Of the consumer's thread.
    private long next;

    /** @param changed hears that it is to be read on, or not any more */
    OpenApplicationLog(
            ClientId clientId,
            TopicPartition partition,
            long generation,
            long from,
            ApplicationLogs.Sink sink,
            Consumer<OpenApplicationLog> changed) {
        this.clientId = clientId;
        this.partition = partition;
        this.generation = generation;
        this.next = from;
        this.sink = sink;
        this.changed = changed;
    }

    @Override
    public void taken(long bytes) {
        if (untakenBytes.addAndGet(-bytes) < RESUMED_BELOW_BYTES && paused) {
            changed.accept(this);
        }
    }

    @Override
    public void close() {
        closed = true;
        changed.accept(this);
    }

    boolean isClosed() {
        return closed;
    }

    ClientId clientId() {
        return clientId;
    }

    TopicPartition partition() {
        return partition;
    }

    long generation() {
        return generation;
    }

    ApplicationLogs.Sink sink() {
        return sink;
    }

    /** The offset that comes next. */
    long next() {
        return next;
    }

    void next(long offset) {
        next = offset;
    }

    /** So many bytes more were read: says whether reading must pause. */
    boolean pausesAfter(long bytes) {
        if (untakenBytes.addAndGet(bytes) < MAXIMUM_UNTAKEN_BYTES) {
            return false;
        }
        paused = true;
        if (untakenBytes.get() < RESUMED_BELOW_BYTES) {
            // All was taken before that was seen.
            changed.accept(this);
        }
        return true;
    }

    /** Whether it was paused and is to be read on. */
    boolean resumes() {
        if (!paused || untakenBytes.get() >= RESUMED_BELOW_BYTES) {
            return false;
        }
        paused = false;
        return true;
    }
}

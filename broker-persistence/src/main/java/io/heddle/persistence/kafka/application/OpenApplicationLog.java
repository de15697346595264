package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ApplicationLogs;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The log of a connected APPLICATION client. The methods of {@link ApplicationLogs.Reading} are thread-safe; the thread of its {@link
 * ApplicationConsumer} owns the rest. Bounds the bytes that were read and that the client has not taken: {@value #MAXIMUM_UNTAKEN_BYTES}
 * and the records of one poll.
 */
final class OpenApplicationLog implements ApplicationLogs.Reading {
    private static final long MAXIMUM_UNTAKEN_BYTES = 256 << 10;
    private static final long RESUME_BELOW_BYTES = MAXIMUM_UNTAKEN_BYTES / 2;

    private final ClientId clientId;
    private final TopicPartition partition;
    private final long generation;
    private final ApplicationLogs.Sink sink;
    private final Consumer<OpenApplicationLog> onChange;
    private final AtomicLong untakenBytes = new AtomicLong();
    private volatile boolean paused;
    private volatile boolean closed;
    // Owned by the consumer's thread.
    private final OwnerThread owner;
    private long next;

    /**
     * @param onChange is called when reading may resume or must end
     * @param owner the thread of the consumer
     */
    OpenApplicationLog(
            ClientId clientId,
            TopicPartition partition,
            long generation,
            long from,
            ApplicationLogs.Sink sink,
            Consumer<OpenApplicationLog> onChange,
            OwnerThread owner) {
        this.clientId = clientId;
        this.partition = partition;
        this.generation = generation;
        this.next = from;
        this.sink = sink;
        this.onChange = onChange;
        this.owner = owner;
    }

    @Override
    public void taken(long bytes) {
        if (untakenBytes.addAndGet(-bytes) < RESUME_BELOW_BYTES && paused) {
            onChange.accept(this);
        }
    }

    @Override
    public void close() {
        closed = true;
        onChange.accept(this);
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

    long next() {
        owner.assertCurrent();
        return next;
    }

    void next(long offset) {
        owner.assertCurrent();
        next = offset;
    }

    /** Counts bytes that were read, and returns whether reading must pause. */
    boolean mustPauseAfter(long bytes) {
        owner.assertCurrent();
        if (untakenBytes.addAndGet(bytes) < MAXIMUM_UNTAKEN_BYTES) {
            return false;
        }
        paused = true;
        if (untakenBytes.get() < RESUME_BELOW_BYTES) {
            // The client took the bytes before it could see the pause.
            onChange.accept(this);
        }
        return true;
    }

    /** Ends a pause if the client has taken enough, and returns whether it has. */
    boolean tryResume() {
        owner.assertCurrent();
        if (!paused || untakenBytes.get() >= RESUME_BELOW_BYTES) {
            return false;
        }
        paused = false;
        return true;
    }
}

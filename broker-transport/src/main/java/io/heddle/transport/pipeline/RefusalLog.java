package io.heddle.transport.pipeline;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs connections that one listener refuses because of a wrong configuration, such as another protocol than the listener's, at most one a
 * minute. Thread-safe.
 */
final class RefusalLog {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    private final String listener;
    private final LongSupplier nanoTime;
    private final AtomicLong next;

    RefusalLog(String listener, LongSupplier nanoTime) {
        this.listener = listener;
        this.nanoTime = nanoTime;
        this.next = new AtomicLong(nanoTime.getAsLong());
    }

    /**
     * Logs the refusal unless one was logged within the last minute; returns whether it was logged.
     *
     * @param cause follows "because"
     */
    boolean log(String cause, SocketAddress remoteAddress) {
        long due = next.get();
        long now = nanoTime.getAsLong();
        if (now - due < 0 || !next.compareAndSet(due, now + PAUSE_NANOS)) {
            return false;
        }
        LOG.info("Connection closed because {}: listener={}, address={}", cause, listener, remoteAddress);
        return true;
    }
}

package io.heddle.transport.pipeline;

import io.heddle.core.mqtt.ProtocolException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs that a client uses another protocol than MQTT on this port, at most once a minute. Thread-safe. */
final class ForeignProtocolLog {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignProtocolLog.class);
    private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanoTime;
    private final AtomicLong next;

    ForeignProtocolLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.next = new AtomicLong(nanoTime.getAsLong());
    }

    /** Logs the hint unless one was logged within the last minute; returns whether it was logged. */
    boolean hint(ProtocolException fault, Object remoteAddress) {
        long due = next.get();
        long now = nanoTime.getAsLong();
        if (now - due < 0 || !next.compareAndSet(due, now + PAUSE_NANOS)) {
            return false;
        }
        LOG.info("Connection closed because {}: address={}", fault.detail(), remoteAddress);
        return true;
    }
}

package io.heddle.transport.pipeline;

import io.heddle.core.mqtt.ProtocolException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the operator that something else than MQTT is sent to this port: once a minute at most. Any thread may call it. */
final class ForeignProtocolLog {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignProtocolLog.class);
    private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanoTime;
    private final AtomicLong next;

    ForeignProtocolLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.next = new AtomicLong(nanoTime.getAsLong());
    }

    /** Logs the hint unless one was logged within the last minute; says whether it did. */
    boolean hint(ProtocolException fault, Object remoteAddress) {
        long due = next.get();
        long now = nanoTime.getAsLong();
        if (now - due < 0 || !next.compareAndSet(due, now + PAUSE_NANOS)) {
            return false;
        }
        LOG.info("A connection from {} was closed: {}", remoteAddress, fault.detail());
        return true;
    }
}

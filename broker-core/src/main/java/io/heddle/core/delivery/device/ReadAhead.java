package io.heddle.core.delivery.device;

import io.heddle.core.HotPath;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of all messages that the feeds of one event loop have read and their sessions have not taken. Belongs to the event loop; any thread
 * may read the gauge. Bound: above the limit, a feed that buffers a message reads no further one, and messages stay in the queue.
 *
 * <p>Metric: {@code heddle.queues.read.ahead.bytes{loop}}.
 */
@HotPath
public final class ReadAhead {
    private final long limitBytes;
    private final AtomicLong bytes = new AtomicLong();

    /**
     * @param loop the index of the event loop
     * @param limitBytes at least 1
     */
    public ReadAhead(int loop, long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        Gauge.builder("heddle.queues.read.ahead.bytes", bytes, AtomicLong::get)
                .tag("loop", Integer.toString(loop))
                .register(metrics);
    }

    /** Returns whether a feed that buffers a message must not read another. */
    boolean isFull() {
        return bytes.getPlain() >= limitBytes;
    }

    /** @param change in bytes, negative when a message was taken */
    void add(long change) {
        // Only the event loop writes.
        bytes.setPlain(bytes.getPlain() + change);
    }
}

package io.heddle.core.delivery.device;

import io.heddle.core.HotPath;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of all messages that the feeds of one event loop have read and their clients have not taken. Belongs to the event loop; any
 * thread may look at its gauge. Bound: while they are more than the limit, a feed that holds a message gets no other; its messages
 * stay in the queue.
 *
 * <p>Metric: {@code heddle.queues.read.ahead.bytes{loop}}.
 */
@HotPath
public final class ReadAhead {
    private final long limitBytes;
    private final AtomicLong bytes = new AtomicLong();

    /**
     * Nothing is read.
     *
     * @param loop the number of the event loop
     * @param limitBytes at least 1
     */
    public ReadAhead(int loop, long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        Gauge.builder("heddle.queues.read.ahead.bytes", bytes, AtomicLong::get)
                .tag("loop", Integer.toString(loop))
                .register(metrics);
    }

    /** Whether a feed that holds a message should not get another. */
    boolean isFull() {
        return bytes.getPlain() >= limitBytes;
    }

    /** A feed holds so much more, or less. */
    void add(long change) {
        // Only its event loop writes.
        bytes.setPlain(bytes.getPlain() + change);
    }
}

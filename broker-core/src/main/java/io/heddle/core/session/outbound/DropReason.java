package io.heddle.core.session.outbound;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/** Why messages for clients are dropped: a counter, and what the log says if this is logged. Thread-safe. */
public final class DropReason {
    private final String tag;
    private final @Nullable String detail;
    private final Counter counter;

    /**
     * @param tag the tag of {@code heddle.messages.dropped}
     * @param detail one clause for the operator; null if nothing is logged
     */
    DropReason(String tag, @Nullable String detail, MeterRegistry registry) {
        this.tag = tag;
        this.detail = detail;
        this.counter = registry.counter("heddle.messages.dropped", "reason", tag);
    }

    /** Returns the tag of {@code heddle.messages.dropped}. */
    public String tag() {
        return tag;
    }

    /** Returns one clause for the operator; null if nothing is logged. */
    @Nullable
    String detail() {
        return detail;
    }

    public void increment() {
        counter.increment();
    }
}

package io.heddle.core;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs the refusals of what clients ask for beyond a {@link Limit}. Each limit writes one line a minute, for the first client that
 * exceeds it; the next line tells how many refusals had none. Thread-safe. Bound: one entry for each limit.
 *
 * <p>Metric: {@code heddle.limits.refusals{setting}}.
 */
public final class RefusalLog {
    /** The time between two lines about one limit. */
    static final Duration PAUSE = Duration.ofMinutes(1);

    private static final String MESSAGE = "A client exceeds a limit (change the setting if the client needs more):"
            + " setting={}, limit={}, refused={}, {}";

    private final Logger log;
    private final LongSupplier nanoTime;
    private final MeterRegistry metrics;
    private final ConcurrentMap<String, OfLimit> limits = new ConcurrentHashMap<>();

    /** @param nanoTime the monotonic clock, in nanoseconds */
    public RefusalLog(LongSupplier nanoTime, MeterRegistry metrics) {
        this(LoggerFactory.getLogger(RefusalLog.class), nanoTime, metrics);
    }

    RefusalLog(Logger log, LongSupplier nanoTime, MeterRegistry metrics) {
        this.log = log;
        this.nanoTime = nanoTime;
        this.metrics = metrics;
    }

    /** The refusals by one limit. */
    private static final class OfLimit {
        final Counter counter;
        private final AtomicLong nextNanos;
        private final LongAdder suppressed = new LongAdder();

        OfLimit(Counter counter, long nowNanos) {
            this.counter = counter;
            this.nextNanos = new AtomicLong(nowNanos);
        }

        /** Returns the number of suppressed lines, or -1 if this one is suppressed, too. */
        long begin(long nowNanos) {
            long due = nextNanos.get();
            if (nowNanos - due < 0 || !nextNanos.compareAndSet(due, nowNanos + PAUSE.toNanos())) {
                suppressed.increment();
                return -1;
            }
            return suppressed.sumThenReset();
        }
    }

    /**
     * A client that is known by its id was refused something. Any thread.
     *
     * @param refused what was refused, in one phrase without text of the client
     */
    public void refused(Limit limit, String refused, Object clientId) {
        log(limit, refused, "clientId=", clientId, "", "");
    }

    /**
     * A connection was refused something. Any thread.
     *
     * @param refused what was refused, in one phrase without text of the client
     * @param clientId the id that the client has sent, perhaps without proof of its identity; empty if it is unknown
     */
    public void refused(Limit limit, String refused, String clientId, Object address) {
        if (clientId.isEmpty()) {
            log(limit, refused, "address=", address, "", "");
        } else {
            log(limit, refused, "clientId=", clientId, ", address=", address);
        }
    }

    private void log(Limit limit, String refused, String key, Object value, String secondKey, Object second) {
        long now = nanoTime.getAsLong();
        OfLimit entry = limits.get(limit.setting());
        if (entry == null) {
            entry = limits.computeIfAbsent(limit.setting(), setting -> new OfLimit(counter(setting), now));
        }
        entry.counter.increment();
        long suppressed = entry.begin(now);
        if (suppressed < 0) {
            return;
        }
        String end = suppressed == 0 ? "" : ", suppressed=" + suppressed;
        log.info(MESSAGE, limit.setting(), limit.value(), refused, key + value + secondKey + second + end);
    }

    private Counter counter(String setting) {
        return metrics.counter("heddle.limits.refusals", "setting", setting);
    }
}

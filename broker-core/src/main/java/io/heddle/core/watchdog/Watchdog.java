package io.heddle.core.watchdog;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices threads that stand still, although their process lives: an endless loop, a deadlock, a call that does not return. Then the node must
 * write no heartbeats, so that the others declare it dead and take its buckets. Counts heartbeats instead of time, because after a pause of the whole process
 * all threads go on. Confined to the thread of the heartbeats. Bound: one entry for each thread.
 *
 * <p>Metric: {@code heddle.threads.stuck}.
 */
public final class Watchdog {
    private final Logger log;
    private final WatchedThreads threads;
    private final int limit;
    private final AtomicInteger stuck = new AtomicInteger();
    private Map<WatchedThread, Seen> seen = new HashMap<>();

    /**
     * @param turns of the thread, at an earlier heartbeat
     * @param heartbeats since then
     */
    private record Seen(long turns, int heartbeats) {}

    /** @param limit the heartbeats during which a thread may work on one thing */
    public Watchdog(WatchedThreads threads, int limit, MeterRegistry registry) {
        this(threads, limit, LoggerFactory.getLogger(Watchdog.class), registry);
    }

    Watchdog(WatchedThreads threads, int limit, Logger log, MeterRegistry registry) {
        this.threads = threads;
        this.limit = limit;
        this.log = log;
        Gauge.builder("heddle.threads.stuck", stuck, AtomicInteger::get)
                .description("Threads of this node that stand still; it writes no heartbeats meanwhile")
                .register(registry);
    }

    /** Returns whether no thread stands still. Called with each heartbeat, before it is written. */
    public boolean areAllProgressing() {
        Map<WatchedThread, Seen> now = new HashMap<>();
        int count = 0;
        for (WatchedThread each : threads.working()) {
            long turns = each.turns();
            Seen before = seen.get(each);
            int heartbeats = before == null || before.turns != turns ? 0 : before.heartbeats + 1;
            now.put(each, new Seen(turns, heartbeats));
            if (heartbeats == limit) {
                log.warn(
                        "A thread stands still, so this node writes no heartbeats until it goes on, and the other nodes declare it dead:"
                                + " thread={}, heartbeats={}{}",
                        each,
                        heartbeats,
                        each.stack());
            }
            if (heartbeats >= limit) {
                count++;
            }
        }
        seen = now;
        stuck.set(count);
        threads.ask();
        return count == 0;
    }
}

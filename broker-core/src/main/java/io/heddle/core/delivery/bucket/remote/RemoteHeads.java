package io.heddle.core.delivery.bucket.remote;

import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.QueueEnds;
import io.heddle.core.delivery.device.DeviceQueues.SessionKey;
import io.heddle.core.message.SteadyClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks the queues how far the clients of other nodes have acknowledged, while the catch-up of a bucket waits for them. Belongs to the thread
 * that applies the bucket logs. Bound: one call for each bucket at a time, for at most {@value #MAXIMUM_SESSIONS} sessions; the others are
 * asked about by the next call.
 */
final class RemoteHeads {
    private static final int MAXIMUM_SESSIONS = 1_000;
    private static final long PAUSE_MILLIS = 50;

    private final DeviceQueues queues;
    private final SteadyClock clock;
    private final Map<Integer, OfBucket> byBucket = new HashMap<>();

    RemoteHeads(DeviceQueues queues, SteadyClock clock) {
        this.queues = queues;
        this.clock = clock;
    }

    private static final class OfBucket {
        private final Set<RemoteReader> requested = new LinkedHashSet<>();
        private final AtomicBoolean isBusy = new AtomicBoolean();
        private long nextMillis;
    }

    /** Asks for the head of a queue with the next call. */
    void request(RemoteReader reader) {
        byBucket.computeIfAbsent(reader.bucket(), _ -> new OfBucket()).requested.add(reader);
    }

    /** Makes the calls that are due. */
    void ask() {
        if (byBucket.isEmpty()) {
            return;
        }
        long nowMillis = clock.millis();
        byBucket.forEach((bucket, each) -> {
            if (!each.requested.isEmpty() && nowMillis >= each.nextMillis && each.isBusy.compareAndSet(false, true)) {
                each.nextMillis = nowMillis + PAUSE_MILLIS;
                ask(bucket, each);
            }
        });
    }

    private void ask(int bucket, OfBucket each) {
        List<RemoteReader> readers = new ArrayList<>();
        List<SessionKey> sessions = new ArrayList<>();
        for (RemoteReader reader : each.requested) {
            if (readers.size() < MAXIMUM_SESSIONS) {
                readers.add(reader);
                sessions.add(reader.session());
            }
        }
        readers.forEach(each.requested::remove);
        queues.tails(bucket, sessions).whenComplete((ends, failure) -> {
            if (failure == null) {
                for (int i = 0; i < readers.size(); i++) {
                    QueueEnds of = ends.get(i);
                    readers.get(i).head(of.head());
                }
            }
            each.isBusy.set(false);
        });
    }
}

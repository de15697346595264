package io.heddle.core.delivery.device;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the clients of one event loop have acknowledged and their queues do not know yet: gathered, so that one call to a bucket
 * serves many clients. Belongs to the event loop.
 *
 * <p>A bucket is asked once at a time, unless somebody can't wait ({@link #tell}); one that fails is left alone for a while and told
 * again. Bound: one entry for each feed, and what is under way.
 *
 * <p>A crash forgets what was gathered: QoS 1 messages come again then, as they may; QoS 2 ones have their marks in the log. What a
 * whole Redis may forget, {@link AcknowledgementLog} has from time to time.
 */
@HotPath
public final class QueueAcknowledgements {
    private static final Logger log = LoggerFactory.getLogger(QueueAcknowledgements.class);

    private static final Duration GATHERING = Duration.ofMillis(20);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(500);
    private static final int ENOUGH = 256;

    private final DeviceQueues queues;
    private final AcknowledgementLog acknowledgementLog;
    private final EventLoop eventLoop;
    private final Counter failures;
    private final Map<Integer, Gathered> byBucket = new HashMap<>();
    private boolean scheduled;

    /** Nothing gathered. */
    public QueueAcknowledgements(
            DeviceQueues queues, AcknowledgementLog acknowledgementLog, EventLoop eventLoop, MeterRegistry metrics) {
        this.queues = queues;
        this.acknowledgementLog = acknowledgementLog;
        this.eventLoop = eventLoop;
        this.failures = metrics.counter("heddle.queues.acknowledge.failures");
    }

    /** A client has acknowledged more: its queue is told of all that it has by then. */
    void add(int bucket, QueueProgress progress) {
        eventLoop.assertCurrent();
        Gathered gathered = byBucket.computeIfAbsent(bucket, _ -> new Gathered());
        gathered.waiting.add(progress);
        if (gathered.isBusy()) {
            return;
        }
        if (gathered.waiting.size() >= ENOUGH) {
            tell(bucket, gathered);
        } else {
            schedule();
        }
    }

    /** Tells a bucket now what was gathered for it, because what follows relies on it; not while it rests after a failure. */
    void tell(int bucket) {
        eventLoop.assertCurrent();
        Gathered gathered = byBucket.get(bucket);
        if (gathered != null && !gathered.resting) {
            tell(bucket, gathered);
        }
    }

    private void tell(int bucket, Gathered gathered) {
        gathered.waiting.removeIf(QueueProgress::isAbandoned);
        if (gathered.waiting.isEmpty()) {
            return;
        }
        List<QueueProgress> told = new ArrayList<>(gathered.waiting);
        gathered.waiting.clear();
        List<Acknowledgement> acknowledgements = new ArrayList<>(told.size());
        for (int i = 0; i < told.size(); i++) {
            acknowledgements.add(told.get(i).tell());
        }
        gathered.underWay++;
        acknowledgementLog.moved(bucket, told);
        queues.acknowledge(bucket, acknowledgements).whenComplete((_, failure) -> {
            if (failure == null) {
                eventLoop.execute(() -> taken(gathered));
            } else {
                failures.increment();
                log.debug("bucket {} did not take {} acknowledgements", bucket, told.size(), failure);
                eventLoop.execute(() -> notTaken(gathered, told));
            }
        });
    }

    private void taken(Gathered gathered) {
        gathered.underWay--;
        if (!gathered.isBusy() && !gathered.waiting.isEmpty()) {
            schedule();
        }
    }

    private void notTaken(Gathered gathered, List<QueueProgress> told) {
        for (int i = 0; i < told.size(); i++) {
            told.get(i).notTold();
            gathered.waiting.add(told.get(i));
        }
        gathered.underWay--;
        if (!gathered.resting) {
            gathered.resting = true;
            eventLoop.schedule(AFTER_FAILURE, () -> {
                gathered.resting = false;
                schedule();
            });
        }
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            eventLoop.schedule(GATHERING, this::tellAll);
        }
    }

    private void tellAll() {
        scheduled = false;
        for (Map.Entry<Integer, Gathered> each : byBucket.entrySet()) {
            if (!each.getValue().isBusy()) {
                tell(each.getKey(), each.getValue());
            }
        }
    }

    /** What waits for one bucket. */
    private static final class Gathered {
        private final Set<QueueProgress> waiting = new LinkedHashSet<>();
        private int underWay;
        // A call has failed, and the next is not due yet.
        private boolean resting;

        boolean isBusy() {
            return resting || underWay > 0;
        }
    }
}

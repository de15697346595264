package io.heddle.core.delivery.device;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the clients of one event loop have acknowledged and their queues do not know yet: gathered, so that one call to a bucket
 * serves many clients. Belongs to the event loop. Bound: one entry for each session; while the queues do not answer, entries stay
 * and are told again later.
 *
 * <p>A crash forgets what was gathered: QoS 1 messages come again then, as they may; QoS 2 ones have their marks in the log.
 */
@HotPath
public final class QueueAcknowledgements {
    private static final Logger log = LoggerFactory.getLogger(QueueAcknowledgements.class);

    private static final Duration GATHERING = Duration.ofMillis(20);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(500);
    private static final int ENOUGH = 256;

    private final DeviceQueues queues;
    private final EventLoop eventLoop;
    private final Counter failures;
    private final Map<Integer, Map<ClientId, Acknowledgement>> byBucket = new HashMap<>();
    private boolean scheduled;

    /** Nothing gathered. */
    public QueueAcknowledgements(DeviceQueues queues, EventLoop eventLoop, MeterRegistry metrics) {
        this.queues = queues;
        this.eventLoop = eventLoop;
        this.failures = metrics.counter("heddle.queues.acknowledge.failures");
    }

    /** A client has acknowledged more. */
    void add(int bucket, Acknowledgement acknowledgement) {
        eventLoop.assertCurrent();
        Map<ClientId, Acknowledgement> ofBucket = byBucket.computeIfAbsent(bucket, _ -> new LinkedHashMap<>());
        ofBucket.put(acknowledgement.clientId(), acknowledgement);
        if (ofBucket.size() >= ENOUGH) {
            tell(bucket);
        } else {
            schedule(GATHERING);
        }
    }

    /** Tells a bucket now what was gathered for it, because what follows relies on it. */
    void tell(int bucket) {
        Map<ClientId, Acknowledgement> gathered = byBucket.remove(bucket);
        if (gathered == null) {
            return;
        }
        List<Acknowledgement> told = new ArrayList<>(gathered.values());
        queues.acknowledge(bucket, told).whenComplete((_, failure) -> {
            if (failure != null) {
                failures.increment();
                log.debug("bucket {} did not take {} acknowledgements", bucket, told.size(), failure);
                eventLoop.execute(() -> takeBack(bucket, told));
            }
        });
    }

    private void takeBack(int bucket, List<Acknowledgement> told) {
        Map<ClientId, Acknowledgement> ofBucket = byBucket.computeIfAbsent(bucket, _ -> new LinkedHashMap<>());
        for (Acknowledgement acknowledgement : told) {
            // What came since says more.
            ofBucket.putIfAbsent(acknowledgement.clientId(), acknowledgement);
        }
        schedule(AFTER_FAILURE);
    }

    private void schedule(Duration delay) {
        if (!scheduled) {
            scheduled = true;
            eventLoop.schedule(delay, this::tellAll);
        }
    }

    private void tellAll() {
        scheduled = false;
        for (Integer bucket : List.copyOf(byBucket.keySet())) {
            tell(bucket);
        }
    }
}

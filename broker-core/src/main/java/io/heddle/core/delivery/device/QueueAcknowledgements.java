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
 * Batches the acknowledgements of the clients of one event loop, so that one call to a bucket serves many clients. Belongs to the event
 * loop.
 *
 * <p>One call for each bucket is in flight at a time, unless {@link #flush} needs another. After a failed call the bucket rests and the call
 * is retried. Bound: one entry for each feed, and the calls in flight.
 *
 * <p>A crash loses the batched acknowledgements: QoS 1 messages are then redelivered, which MQTT allows, and QoS 2 messages have their
 * markers in the log. {@link AcknowledgementLog} covers the loss of Redis.
 */
@HotPath
public final class QueueAcknowledgements {
    private static final Logger log = LoggerFactory.getLogger(QueueAcknowledgements.class);

    private static final Duration BATCH_DELAY = Duration.ofMillis(20);
    private static final Duration RETRY_DELAY = Duration.ofMillis(500);
    private static final int BATCH_CLIENTS = 256;

    private final DeviceQueues queues;
    private final AcknowledgementLog acknowledgementLog;
    private final EventLoop eventLoop;
    private final Counter failures;
    private final Map<Integer, Batch> byBucket = new HashMap<>();
    private boolean scheduled;

    /** Creates the batches of one event loop, all empty. */
    public QueueAcknowledgements(
            DeviceQueues queues, AcknowledgementLog acknowledgementLog, EventLoop eventLoop, MeterRegistry metrics) {
        this.queues = queues;
        this.acknowledgementLog = acknowledgementLog;
        this.eventLoop = eventLoop;
        this.failures = metrics.counter("heddle.queues.acknowledge.failures");
    }

    /** Adds a client that has acknowledged more. The call reports all that the client has acknowledged by then. */
    void add(int bucket, QueueProgress progress) {
        eventLoop.assertCurrent();
        Batch batch = byBucket.computeIfAbsent(bucket, _ -> new Batch());
        batch.waiting.add(progress);
        if (batch.isBusy()) {
            return;
        }
        if (batch.waiting.size() >= BATCH_CLIENTS) {
            send(bucket, batch);
        } else {
            schedule();
        }
    }

    /** Sends the batch of a bucket at once, because the caller relies on it; not while the bucket rests after a failure. */
    void flush(int bucket) {
        eventLoop.assertCurrent();
        Batch batch = byBucket.get(bucket);
        if (batch != null && !batch.resting) {
            send(bucket, batch);
        }
    }

    private void send(int bucket, Batch batch) {
        batch.waiting.removeIf(QueueProgress::isAbandoned);
        if (batch.waiting.isEmpty()) {
            return;
        }
        List<QueueProgress> clients = new ArrayList<>(batch.waiting);
        batch.waiting.clear();
        List<Acknowledgement> acknowledgements = new ArrayList<>(clients.size());
        for (int i = 0; i < clients.size(); i++) {
            acknowledgements.add(clients.get(i).takeReport());
        }
        batch.inFlight++;
        acknowledgementLog.add(bucket, clients);
        queues.acknowledge(bucket, acknowledgements).whenComplete((_, failure) -> {
            if (failure == null) {
                eventLoop.execute(() -> onSent(batch));
            } else {
                failures.increment();
                log.debug(
                        "Cannot acknowledge messages of {} queues; retrying, bucket={}",
                        clients.size(),
                        bucket,
                        failure);
                eventLoop.execute(() -> onFailed(batch, clients));
            }
        });
    }

    private void onSent(Batch batch) {
        batch.inFlight--;
        if (!batch.isBusy() && !batch.waiting.isEmpty()) {
            schedule();
        }
    }

    private void onFailed(Batch batch, List<QueueProgress> clients) {
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i).markUnreported();
            batch.waiting.add(clients.get(i));
        }
        batch.inFlight--;
        if (!batch.resting) {
            batch.resting = true;
            eventLoop.schedule(RETRY_DELAY, () -> {
                batch.resting = false;
                schedule();
            });
        }
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            eventLoop.schedule(BATCH_DELAY, this::sendAll);
        }
    }

    private void sendAll() {
        scheduled = false;
        for (Map.Entry<Integer, Batch> each : byBucket.entrySet()) {
            if (!each.getValue().isBusy()) {
                send(each.getKey(), each.getValue());
            }
        }
    }

    /** The clients whose acknowledgements wait for the next call of one bucket. */
    private static final class Batch {
        private final Set<QueueProgress> waiting = new LinkedHashSet<>();
        private int inFlight;
        // A call has failed, and the retry is not due yet.
        private boolean resting;

        boolean isBusy() {
            return resting || inFlight > 0;
        }
    }
}

package io.heddle.core.delivery.device;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.ClientAcknowledgement;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
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
 * Writes to the bucket logs, from time to time, what the clients of one event loop have acknowledged: a Redis that has lost its queues,
 * and gets them again from the log, then repeats only the messages of the last interval. Belongs to the event loop.
 *
 * <p>A client is written when it has acknowledged something since it was written last; one command of a bucket names up to {@value
 * BucketCommand#MAXIMUM_RECIPIENTS} of them. What the log has no room for is written later. Bound: one entry for each feed.
 */
@HotPath
public final class AcknowledgementLog {
    private static final Logger log = LoggerFactory.getLogger(AcknowledgementLog.class);

    private static final int BYTES_OF_A_CLIENT = 128;

    private final MessageLog messageLog;
    private final EventLoop eventLoop;
    private final Duration interval;
    private final Counter written;
    private final Map<Integer, Set<QueueProgress>> moved = new HashMap<>();
    private boolean scheduled;

    /** @param interval between two commands for the same client; zero for none at all */
    public AcknowledgementLog(MessageLog messageLog, EventLoop eventLoop, Duration interval, MeterRegistry metrics) {
        this.messageLog = messageLog;
        this.eventLoop = eventLoop;
        this.interval = interval;
        this.written = metrics.counter("heddle.buckets.acknowledgements.logged");
    }

    /** Clients of a bucket have acknowledged more. */
    void moved(int bucket, List<QueueProgress> clients) {
        eventLoop.assertCurrent();
        if (interval.isZero()) {
            return;
        }
        moved.computeIfAbsent(bucket, _ -> new LinkedHashSet<>()).addAll(clients);
        schedule();
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            eventLoop.schedule(interval, this::write);
        }
    }

    private void write() {
        scheduled = false;
        for (Map.Entry<Integer, Set<QueueProgress>> each : moved.entrySet()) {
            write(each.getKey(), new ArrayList<>(each.getValue()));
            each.getValue().clear();
        }
    }

    private void write(int bucket, List<QueueProgress> clients) {
        for (int from = 0; from < clients.size(); from += BucketCommand.MAXIMUM_RECIPIENTS) {
            List<QueueProgress> some =
                    clients.subList(from, Math.min(from + BucketCommand.MAXIMUM_RECIPIENTS, clients.size()));
            if (messageLog.accepts((long) BYTES_OF_A_CLIENT * some.size())) {
                append(bucket, some);
            } else {
                eventLoop.execute(() -> moved(bucket, some));
            }
        }
    }

    private void append(int bucket, List<QueueProgress> clients) {
        List<ClientAcknowledgement> acknowledged = new ArrayList<>(clients.size());
        for (int i = 0; i < clients.size(); i++) {
            acknowledged.add(clients.get(i).logged());
        }
        written.increment(clients.size());
        messageLog.append(
                List.of(new LogAppend.ToBucket(bucket, new BucketCommand.Acknowledged(acknowledged))),
                new MessageLog.Outcome() {
                    @Override
                    public void appended() {
                        // Nobody waits for it.
                    }

                    @Override
                    public void failed(Throwable reason) {
                        log.debug("bucket {}: {} acknowledgements were not logged", bucket, clients.size(), reason);
                        eventLoop.execute(() -> moved(bucket, clients));
                    }
                });
    }
}

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
 * Writes the acknowledgements of the clients of one event loop to the bucket logs at an interval. When Redis has lost its queues and they
 * are replayed from the log, only the messages of the last interval are redelivered. Belongs to the event loop.
 *
 * <p>A client is written only if it has acknowledged something since its last record. One command of a bucket names up to {@value
 * BucketCommand#MAXIMUM_RECIPIENTS} clients. When the log has no room, they are written at the next interval. Bound: one entry for each
 * feed.
 */
@HotPath
public final class AcknowledgementLog {
    private static final Logger log = LoggerFactory.getLogger(AcknowledgementLog.class);

    private static final int BYTES_OF_A_CLIENT = 128;

    private final MessageLog messageLog;
    private final EventLoop eventLoop;
    private final Duration interval;
    private final Counter written;
    private final Map<Integer, Set<QueueProgress>> changed = new HashMap<>();
    private boolean scheduled;

    /** @param interval between two records of the same client; zero disables the log */
    public AcknowledgementLog(MessageLog messageLog, EventLoop eventLoop, Duration interval, MeterRegistry metrics) {
        this.messageLog = messageLog;
        this.eventLoop = eventLoop;
        this.interval = interval;
        this.written = metrics.counter("heddle.buckets.acknowledgements.logged");
    }

    void add(int bucket, List<QueueProgress> clients) {
        eventLoop.assertCurrent();
        if (interval.isZero()) {
            return;
        }
        changed.computeIfAbsent(bucket, _ -> new LinkedHashSet<>()).addAll(clients);
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
        for (Map.Entry<Integer, Set<QueueProgress>> each : changed.entrySet()) {
            write(each.getKey(), new ArrayList<>(each.getValue()));
            each.getValue().clear();
        }
    }

    private void write(int bucket, List<QueueProgress> clients) {
        for (int from = 0; from < clients.size(); from += BucketCommand.MAXIMUM_RECIPIENTS) {
            List<QueueProgress> part =
                    clients.subList(from, Math.min(from + BucketCommand.MAXIMUM_RECIPIENTS, clients.size()));
            if (messageLog.accepts((long) BYTES_OF_A_CLIENT * part.size())) {
                append(bucket, part);
            } else {
                eventLoop.execute(() -> add(bucket, part));
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
                new MessageLog.AppendCallback() {
                    @Override
                    public void onAppended() {
                        // No client waits for this record.
                    }

                    @Override
                    public void onFailed(Throwable reason) {
                        log.debug(
                                "Cannot append the acknowledgements of {} clients; retrying, bucket={}",
                                clients.size(),
                                bucket,
                                reason);
                        eventLoop.execute(() -> add(bucket, clients));
                    }
                });
    }
}

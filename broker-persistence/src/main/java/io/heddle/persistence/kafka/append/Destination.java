package io.heddle.persistence.kafka.append;

import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.append.PendingRecord.Handover;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The queue in front of one partition. It keeps the order of appends when the producer cannot accept a record yet: as long as one record
 * is queued, all later ones are queued behind it. Thread-safe. Its lock is held while a record is sent to the producer, which does not
 * block, and never while a listener runs. Of the log of an APPLICATION client it also lists the records that are not answered. Bounded by {@link PendingAppends}.
 */
final class Destination {
    private final String topic;
    private final PendingAppends.Share share;
    private final Timer timer;
    private final AppendMetrics metrics;
    private final ArrayDeque<PendingRecord> queue = new ArrayDeque<>(0);
    // Only the logs of APPLICATION clients end while records are pending.
    private final boolean isListing;
    // The last of the unanswered records, in the order of their appends.
    private @Nullable PendingRecord last;
    private boolean closed;

    /** @param share the share of pending appends that the records count for */
    Destination(String topic, PendingAppends.Share share, AppendMetrics metrics) {
        this.topic = topic;
        this.share = share;
        this.timer = metrics.appends(topic);
        this.metrics = metrics;
        this.isListing = KafkaTopics.isApplicationTopic(topic);
    }

    String topic() {
        return topic;
    }

    PendingAppends.Share share() {
        return share;
    }

    Timer timer() {
        return timer;
    }

    /** Sends a record, or queues it. Returns false when the record is queued and the caller must schedule a {@link #drain}. */
    boolean append(PendingRecord record, Producer<byte[], byte[]> producer) {
        Handover handover;
        boolean isClosed;
        synchronized (this) {
            isClosed = closed;
            add(record);
            handover = isClosed || !queue.isEmpty() ? Handover.RETRY : record.handTo(producer);
            if (!isClosed && handover == Handover.RETRY) {
                queue.addLast(record);
                metrics.addQueued(1);
            }
        }
        if (isClosed) {
            record.fail(new LogClosedException());
        } else if (handover == Handover.REJECTED) {
            record.failAsRejected();
        }
        return isClosed || handover != Handover.RETRY;
    }

    /**
     * Sends the queued records in order. Releases the lock after each record, so that appending threads are not delayed. Returns false when
     * records are still queued.
     */
    boolean drain(Producer<byte[], byte[]> producer) {
        while (true) {
            PendingRecord record;
            Handover handover;
            synchronized (this) {
                record = queue.peekFirst();
                if (record == null) {
                    return true;
                }
                handover = record.handTo(producer);
                if (handover == Handover.RETRY) {
                    return false;
                }
                queue.removeFirst();
                metrics.addQueued(-1);
            }
            if (handover == Handover.REJECTED) {
                record.failAsRejected();
            }
        }
    }

    private void add(PendingRecord record) {
        if (isListing) {
            record.isListed = true;
            record.previous = last;
            if (last != null) {
                last.next = record;
            }
            last = record;
        }
    }

    /** A record has its answer. Returns false if it was abandoned before. Any thread. */
    boolean answer(PendingRecord record) {
        return !isListing || remove(record);
    }

    private synchronized boolean remove(PendingRecord record) {
        if (!record.isListed) {
            return false;
        }
        record.isListed = false;
        PendingRecord before = record.previous;
        PendingRecord after = record.next;
        if (before != null) {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        record.previous = null;
        record.next = null;
        return true;
    }

    /** Gives up unanswered records and returns them. The caller answers them. */
    synchronized List<PendingRecord> abandon(Predicate<ProducerRecord<byte[], byte[]>> condition) {
        List<PendingRecord> abandoned = new ArrayList<>();
        PendingRecord each = last;
        while (each != null) {
            PendingRecord before = each.previous;
            if (condition.test(each.record()) && remove(each)) {
                abandoned.add(each);
            }
            each = before;
        }
        int queued = queue.size();
        queue.removeIf(record -> !record.isListed);
        metrics.addQueued(queue.size() - queued);
        return abandoned;
    }

    /** Rejects further records and returns the queued ones in order. */
    synchronized List<PendingRecord> close() {
        closed = true;
        List<PendingRecord> left = new ArrayList<>(queue);
        metrics.addQueued(-left.size());
        queue.clear();
        return left;
    }
}

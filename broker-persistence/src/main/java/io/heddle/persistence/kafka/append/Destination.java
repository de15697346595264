package io.heddle.persistence.kafka.append;

import io.heddle.persistence.kafka.append.PendingRecord.Handover;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;

/**
 * One partition as this node appends to it: keeps what is appended to it in order when the producer does not take a record now.
 * As long as one waits, all that come later wait behind it. Thread-safe; one lock, held while a record is handed to the producer,
 * which does not block, and never while calling out. Bounded by {@link PendingAppends}.
 */
final class Destination {
    private final String topic;
    private final PendingAppends.Share share;
    private final Timer timer;
    private final AppendMetrics metrics;
    private final ArrayDeque<PendingRecord> waiting = new ArrayDeque<>(0);
    private boolean closed;

    /**
     * @param topic whose partition this is
     * @param share that its records count for
     */
    Destination(String topic, PendingAppends.Share share, AppendMetrics metrics) {
        this.topic = topic;
        this.share = share;
        this.timer = metrics.appends(topic);
        this.metrics = metrics;
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

    /** Hands a record over, or lets it wait. False when it waits and somebody must try again. */
    boolean append(PendingRecord record, Producer<byte[], byte[]> producer) {
        Handover handover;
        boolean over;
        synchronized (this) {
            over = closed;
            handover = over || !waiting.isEmpty() ? Handover.NOT_NOW : record.handTo(producer);
            if (!over && handover == Handover.NOT_NOW) {
                waiting.addLast(record);
                metrics.waiting(1);
            }
        }
        if (over) {
            record.fail(new LogClosedException());
        } else if (handover == Handover.REFUSED) {
            record.failAsRefused();
        }
        return over || handover != Handover.NOT_NOW;
    }

    /** Hands over what waits, in order, one at a time so that nobody who appends waits for it. False when some still waits. */
    boolean drain(Producer<byte[], byte[]> producer) {
        while (true) {
            PendingRecord record;
            Handover handover;
            synchronized (this) {
                record = waiting.peekFirst();
                if (record == null) {
                    return true;
                }
                handover = record.handTo(producer);
                if (handover == Handover.NOT_NOW) {
                    return false;
                }
                waiting.removeFirst();
                metrics.waiting(-1);
            }
            if (handover == Handover.REFUSED) {
                record.failAsRefused();
            }
        }
    }

    /** Nothing is taken any more. Returns what waited, in order. */
    synchronized List<PendingRecord> close() {
        closed = true;
        List<PendingRecord> left = new ArrayList<>(waiting);
        metrics.waiting(-left.size());
        waiting.clear();
        return left;
    }
}

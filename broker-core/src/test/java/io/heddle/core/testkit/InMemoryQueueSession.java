package io.heddle.core.testkit;

import static io.heddle.core.session.persistent.SessionRegistry.UNKNOWN;

import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.device.BucketApplied.EnqueueOutcome;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.device.QueueView;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.delivery.log.SequenceRange;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** A session of {@link InMemoryDeviceQueues} with its queue, guarded by them. */
final class InMemoryQueueSession {
    private static final long IN_SYNC = -2;

    final TreeMap<Long, QueuePage.Entry> entries = new TreeMap<>();
    // In the order of arrival.
    final Set<Long> outboundReceived = new LinkedHashSet<>();
    final TreeMap<Integer, MessageName> inboundReceived = new TreeMap<>();
    final long generation;
    long lastOffset = BucketBatch.NOTHING;
    long tail;
    long epoch;
    String owner = "";
    long sentUpTo = UNKNOWN;
    // True if the sequence numbers are those that the log assigns.
    boolean complete;

    InMemoryQueueSession(long generation) {
        this.generation = generation;
    }

    InMemoryQueueSession copy() {
        InMemoryQueueSession copy = new InMemoryQueueSession(generation);
        copy.entries.putAll(entries);
        copy.outboundReceived.addAll(outboundReceived);
        copy.inboundReceived.putAll(inboundReceived);
        copy.lastOffset = lastOffset;
        copy.tail = tail;
        copy.epoch = epoch;
        copy.owner = owner;
        copy.sentUpTo = sentUpTo;
        copy.complete = complete;
        return copy;
    }

    void owned(long newEpoch, String newOwner) {
        epoch = newEpoch;
        owner = newOwner;
    }

    /** @param behind whether its owner skips pushes */
    void readUpTo(long sequence, boolean behind) {
        sentUpTo = behind ? sequence : IN_SYNC - sequence;
    }

    void acknowledge(long upTo, List<SequenceRange> above) {
        entries.headMap(upTo, true).clear();
        outboundReceived.removeIf(sequence -> sequence <= upTo);
        for (SequenceRange run : above) {
            entries.subMap(run.first(), run.end()).clear();
            outboundReceived.removeIf(sequence -> sequence >= run.first() && sequence < run.end());
        }
    }

    QueueView view(long from, int maximumMessages, int maximumBytes) {
        long bytes = 0;
        for (QueuePage.Entry entry : entries.values()) {
            bytes += entry.message().heldBytes();
        }
        return new QueueView(head(), tail, entries.size(), bytes, read(from, maximumMessages, maximumBytes));
    }

    List<QueuePage.Entry> read(long from, int maximumMessages, int maximumBytes) {
        List<QueuePage.Entry> read = new ArrayList<>();
        long bytes = 0;
        for (QueuePage.Entry entry : entries.tailMap(from).values()) {
            if (read.size() == maximumMessages || bytes >= maximumBytes) {
                break;
            }
            bytes += entry.message().heldBytes();
            read.add(new QueuePage.Entry(
                    entry.sequence(),
                    entry.message(),
                    entry.qos(),
                    entry.retain(),
                    entry.subscriptionIdentifiers(),
                    outboundReceived.contains(entry.sequence()),
                    entry.sharedFilter()));
        }
        return read;
    }

    long head() {
        return entries.isEmpty() ? tail + 1 : entries.firstKey();
    }

    EnqueueOutcome enqueue(
            BucketBatch.Logged logged,
            Enqueue enqueue,
            QueueRecipient recipient,
            QueueBounds bounds,
            PushedUpTo pushed,
            long nowMillis) {
        if (logged.offset() <= lastOffset) {
            return EnqueueOutcome.APPLIED_BEFORE;
        }
        lastOffset = logged.offset();
        tail++;
        if (logged.rejected() || enqueue.message().isExpiredAt(nowMillis)) {
            return EnqueueOutcome.EXPIRED;
        }
        int before = entries.size();
        if (!makeRoom(
                enqueue.message().heldBytes(), bounds, pushed.upTo(recipient.clientId(), recipient.generation()))) {
            return EnqueueOutcome.QUEUE_FULL;
        }
        boolean hasEvicted = entries.size() < before;
        entries.put(
                tail,
                new QueuePage.Entry(
                        tail,
                        enqueue.message(),
                        recipient.qos(),
                        recipient.retain(),
                        recipient.subscriptionIdentifiers(),
                        false,
                        recipient.sharedFilter()));
        return hasEvicted ? EnqueueOutcome.QUEUED_EVICTING : EnqueueOutcome.QUEUED;
    }

    private boolean makeRoom(int size, QueueBounds bounds, long pushedUpTo) {
        int count = entries.size();
        long bytes = 0;
        for (QueuePage.Entry entry : entries.values()) {
            bytes += entry.message().heldBytes();
        }
        List<Long> leaving = new ArrayList<>();
        int place = 0;
        for (QueuePage.Entry entry : entries.values()) {
            boolean fits = count + 1 <= bounds.maximumMessages() && bytes + size <= bounds.maximumBytes();
            if (fits) {
                break;
            }
            if (bounds.dropOldest() && !isInFlight(place, entry.sequence(), bounds, pushedUpTo)) {
                leaving.add(entry.sequence());
                count--;
                bytes -= entry.message().heldBytes();
            }
            place++;
        }
        if (count + 1 > bounds.maximumMessages() || bytes + size > bounds.maximumBytes()) {
            return false;
        }
        entries.keySet().removeAll(leaving);
        return true;
    }

    private boolean isInFlight(int place, long sequence, QueueBounds bounds, long pushedUpTo) {
        if (sentUpTo > UNKNOWN) {
            return sequence <= sentUpTo;
        }
        return sequence <= Math.max(IN_SYNC - sentUpTo, pushedUpTo)
                || (pushedUpTo == PushedUpTo.NOTHING && place < bounds.maximumInFlight());
    }
}

package io.heddle.core.routing.interest;

import io.heddle.core.client.EventLoop;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.subscription.RemoteNode;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The interest of this node on its way to one member: first all of it, then the changes. Owned by the event loop of the exchange. Bound:
 * {@value #WINDOW} unacknowledged batches, and one entry for each filter that waits for them.
 */
final class InterestStream {
    /** The number of unacknowledged batches. */
    static final int WINDOW = 4;

    private static final int ENTRIES = 200;
    private static final int ENTRY_BYTES = 32_000;
    private static final Duration SEND_AGAIN = Duration.ofMillis(100);

    private final RemoteNode node;
    private final NodeLinks links;
    private final EventLoop eventLoop;
    private final OwnInterest own;
    private final Counter sent;
    private final Iterator<String> first;
    private final LinkedHashSet<String> changed = new LinkedHashSet<>();
    private final ArrayDeque<Unacknowledged> unacknowledged = new ArrayDeque<>(WINDOW);
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    // The changes so far, those in batches so far, and those in acknowledged batches.
    private long announced;
    private long batched;
    private long known;
    private long number;
    private boolean isComplete;
    private byte @Nullable [] unsent;
    private boolean isScheduled;
    private boolean isEnded;

    private record Unacknowledged(long number, long batched) {}

    private record Waiting(long announced, Runnable task) {}

    InterestStream(RemoteNode node, NodeLinks links, EventLoop eventLoop, OwnInterest own, Counter sent) {
        this.node = node;
        this.links = links;
        this.eventLoop = eventLoop;
        this.own = own;
        this.sent = sent;
        this.first = own.filters();
    }

    /** The entry of a filter has changed. */
    void announce(String filter) {
        if (changed.add(filter)) {
            announced++;
        }
        send();
    }

    /** Returns whether the member is not known to know all changes so far. */
    boolean isBehind() {
        return known < announced;
    }

    /** Runs a task when the member knows all changes so far, or has ended. */
    void whenKnown(Runnable task) {
        waiting.add(new Waiting(announced, task));
        release();
    }

    /** Sends what may be sent now. */
    void send() {
        while (!isEnded && (unsent != null || hasMore())) {
            byte[] payload = unsent == null ? nextBatch() : unsent;
            if (!links.send(node.incarnation(), NodeLinks.CONTROL, InterestFrame.BATCH, payload)) {
                if (unsent == null) {
                    unsent = payload;
                }
                sendAgain();
                return;
            }
            unsent = null;
            sent.increment();
        }
    }

    private void sendAgain() {
        if (!isScheduled) {
            isScheduled = true;
            eventLoop.schedule(SEND_AGAIN, () -> {
                isScheduled = false;
                send();
            });
        }
    }

    private boolean hasMore() {
        return unacknowledged.size() < WINDOW && (!isComplete || !changed.isEmpty());
    }

    private byte[] nextBatch() {
        List<InterestFrame.Entry> entries = new ArrayList<>();
        int bytes = 0;
        Iterator<String> changes = changed.iterator();
        while (changes.hasNext() && entries.size() < ENTRIES && bytes < ENTRY_BYTES) {
            bytes += add(changes.next(), entries);
            changes.remove();
            batched++;
        }
        while (!isComplete && entries.size() < ENTRIES && bytes < ENTRY_BYTES) {
            if (first.hasNext()) {
                bytes += add(first.next(), entries);
            } else {
                isComplete = true;
            }
        }
        number++;
        unacknowledged.add(new Unacknowledged(number, batched));
        return InterestFrame.encode(new InterestFrame.Batch(number, isComplete, entries));
    }

    private int add(String filter, List<InterestFrame.Entry> entries) {
        entries.add(own.entry(filter));
        return filter.length();
    }

    /** The member has applied the batches up to a number. */
    void onAcknowledged(long applied) {
        for (Unacknowledged batch = unacknowledged.peek();
                batch != null && batch.number <= applied;
                batch = unacknowledged.peek()) {
            known = batch.batched;
            unacknowledged.remove();
        }
        release();
        send();
    }

    private void release() {
        for (Waiting next = waiting.peek();
                next != null && (next.announced <= known || isEnded);
                next = waiting.peek()) {
            waiting.remove();
            next.task.run();
        }
    }

    /** The member has ended. */
    void end() {
        isEnded = true;
        release();
    }
}

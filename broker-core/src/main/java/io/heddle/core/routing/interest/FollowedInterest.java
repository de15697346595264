package io.heddle.core.routing.interest;

import io.heddle.core.client.EventLoop;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.SubscriptionTrie;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * The interest of one member in the trie. Owned by the event loop of the exchange, which applies it in small steps. Bounds: the batches
 * that the member may send before they are acknowledged; and one text for each filter, so that the entries can be removed when the member ends.
 */
final class FollowedInterest {
    private static final int ENTRIES_PER_STEP = 32;
    private static final Duration ACKNOWLEDGE_AGAIN = Duration.ofMillis(100);

    private final RemoteNode node;
    private final SubscriptionTrie trie;
    private final NodeLinks links;
    private final EventLoop eventLoop;
    private final Executor settled;
    private final Runnable onComplete;
    private final Set<TopicFilter> filters = new HashSet<>();
    private final ArrayDeque<InterestFrame.Batch> batches = new ArrayDeque<>(InterestStream.WINDOW);
    // Of the first batch.
    private int applied;
    private long number;
    private boolean isApplying;
    private long acknowledged;
    private boolean isComplete;
    private boolean isAcknowledgementWaiting;
    // Read by a gauge.
    private volatile int size;

    /**
     * @param settled runs a task when the messages that were routed before are where a new subscriber finds them
     * @param onComplete runs once, when this node knows all that the member had announced before it knew this node
     */
    FollowedInterest(
            RemoteNode node,
            SubscriptionTrie trie,
            NodeLinks links,
            EventLoop eventLoop,
            Executor settled,
            Runnable onComplete) {
        this.node = node;
        this.trie = trie;
        this.links = links;
        this.eventLoop = eventLoop;
        this.settled = settled;
        this.onComplete = onComplete;
    }

    /** The number of filters. Any thread. */
    int size() {
        return size;
    }

    /** Returns whether this node knows all that the member had announced before it knew this node. */
    boolean isComplete() {
        return isComplete;
    }

    /** A batch has arrived. Returns false if it is not the next one. */
    boolean onBatch(InterestFrame.Batch batch) {
        if (batch.number() != number + batches.size() + 1) {
            return false;
        }
        batches.add(batch);
        if (!isApplying) {
            isApplying = true;
            eventLoop.inBackground(this::applySome);
        }
        return true;
    }

    private boolean applySome() {
        InterestFrame.Batch batch = batches.peek();
        if (batch == null || node.isGone()) {
            isApplying = false;
            return false;
        }
        int end = Math.min(batch.entries().size(), applied + ENTRIES_PER_STEP);
        while (applied < end) {
            apply(batch.entries().get(applied++));
        }
        size = filters.size();
        if (applied == batch.entries().size()) {
            applied = 0;
            batches.remove();
            number = batch.number();
            acknowledgeWhenSettled(number);
            if (batch.isComplete() && !isComplete) {
                isComplete = true;
                onComplete.run();
            }
        }
        return true;
    }

    private void apply(InterestFrame.Entry entry) {
        RemoteNode.Interest interest = entry.interest();
        if (interest == null) {
            if (filters.remove(entry.filter())) {
                trie.remove(node, entry.filter());
            }
        } else {
            filters.add(entry.filter());
            trie.put(node, entry.filter(), interest, entry.members());
        }
    }

    private void acknowledgeWhenSettled(long applying) {
        settled.execute(() -> {
            if (eventLoop.isCurrent()) {
                acknowledge(applying);
            } else {
                eventLoop.execute(() -> acknowledge(applying));
            }
        });
    }

    private void acknowledge(long upTo) {
        acknowledged = Math.max(acknowledged, upTo);
        acknowledge();
    }

    private void acknowledge() {
        boolean isSent = links.send(
                node.incarnation(),
                NodeLinks.CONTROL,
                InterestFrame.ACKNOWLEDGEMENT,
                InterestFrame.encodeAcknowledgement(acknowledged));
        if (!isSent && !isAcknowledgementWaiting && !node.isGone()) {
            isAcknowledgementWaiting = true;
            eventLoop.schedule(ACKNOWLEDGE_AGAIN, () -> {
                isAcknowledgementWaiting = false;
                acknowledge();
            });
        }
    }

    /**
     * The member has ended, and is ignored already: removes its entries.
     *
     * @param onRemoved runs when no entry is left
     */
    void end(Runnable onRemoved) {
        batches.clear();
        Iterator<TopicFilter> left = filters.iterator();
        eventLoop.inBackground(() -> {
            for (int i = 0; i < ENTRIES_PER_STEP && left.hasNext(); i++) {
                trie.remove(node, left.next());
                left.remove();
            }
            size = filters.size();
            if (left.hasNext()) {
                return true;
            }
            onRemoved.run();
            return false;
        });
    }
}

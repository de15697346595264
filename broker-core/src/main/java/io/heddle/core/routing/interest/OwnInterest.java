package io.heddle.core.routing.interest;

import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.subscription.RemoteNode.Interest;
import io.heddle.core.subscription.Subscription;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The subscribers of this node whose sessions end with their connections, counted by filter, and what the other nodes are to know of them.
 * Owned by one event loop. Bounded by the subscriptions that the node has admitted.
 *
 * <p>More interest is announced at once. Less waits for {@link #REMOVAL_DELAY}, because clients that reconnect would otherwise change it
 * twice. The number of members of a shared subscription waits for {@link #MEMBERS_DELAY}.
 */
final class OwnInterest {
    static final Duration REMOVAL_DELAY = Duration.ofSeconds(5);
    static final Duration MEMBERS_DELAY = Duration.ofMillis(100);

    private static final int SETTLED_PER_STEP = 64;

    private final EventLoop eventLoop;
    private final Consumer<String> announce;
    // Changed on the event loop only; its iterators may be kept while it changes.
    private final Map<String, Counts> byFilter = new ConcurrentHashMap<>();
    private final ArrayDeque<Deferred> removals = new ArrayDeque<>();
    private final ArrayDeque<Deferred> members = new ArrayDeque<>();

    private record Deferred(long dueNanos, Counts counts) {}

    private static final class Counts {
        private final TopicFilter filter;
        private int atMostOnce;
        private int acknowledged;
        private @Nullable Interest announced;
        private int announcedMembers;
        private boolean isDeferred;

        Counts(TopicFilter filter) {
            this.filter = filter;
        }

        void add(Subscription subscription, int number) {
            if (subscription.terms().maximumQos() == QoS.AT_MOST_ONCE) {
                atMostOnce += number;
            } else {
                acknowledged += number;
            }
        }

        int subscribers() {
            return atMostOnce + acknowledged;
        }

        @Nullable
        Interest interest() {
            if (acknowledged > 0) {
                return Interest.ACKNOWLEDGED;
            }
            return atMostOnce > 0 ? Interest.AT_MOST_ONCE : null;
        }

        boolean isMoreThanAnnounced() {
            Interest now = interest();
            return now != null && (announced == null || now.compareTo(announced) > 0);
        }

        boolean isAsAnnounced() {
            return interest() == announced && (!filter.isShared() || announcedMembers == subscribers());
        }
    }

    /** @param announce receives each filter whose entry has changed */
    OwnInterest(EventLoop eventLoop, Consumer<String> announce) {
        this.eventLoop = eventLoop;
        this.announce = announce;
    }

    /** The number of filters. Any thread. */
    int size() {
        return byFilter.size();
    }

    /** Iterates over the filters; weakly consistent. */
    Iterator<String> filters() {
        return byFilter.keySet().iterator();
    }

    /** What the other nodes are to know of a filter. */
    InterestFrame.Entry entry(String filter) {
        Counts counts = byFilter.get(filter);
        return counts == null
                ? new InterestFrame.Entry(TopicFilter.parse(filter, Integer.MAX_VALUE), null, 0)
                : new InterestFrame.Entry(counts.filter, counts.announced, counts.announcedMembers);
    }

    void changed(@Nullable Subscription before, @Nullable Subscription after) {
        Subscription either = after == null ? before : after;
        if (either == null) {
            return;
        }
        TopicFilter filter = either.topicFilter();
        Counts counts = byFilter.computeIfAbsent(filter.value(), _ -> new Counts(filter));
        if (before != null) {
            counts.add(before, -1);
        }
        if (after != null) {
            counts.add(after, 1);
        }
        if (counts.isMoreThanAnnounced()) {
            announce(counts);
        } else if (!counts.isAsAnnounced() && !counts.isDeferred) {
            defer(counts);
        }
    }

    private void announce(Counts counts) {
        counts.announced = counts.interest();
        counts.announcedMembers = counts.filter.isShared() ? counts.subscribers() : 0;
        announce.accept(counts.filter.value());
    }

    private void defer(Counts counts) {
        counts.isDeferred = true;
        boolean isShared = counts.filter.isShared();
        Duration delay = isShared ? MEMBERS_DELAY : REMOVAL_DELAY;
        ArrayDeque<Deferred> queue = isShared ? members : removals;
        queue.add(new Deferred(eventLoop.nanoTime() + delay.toNanos(), counts));
        if (queue.size() == 1) {
            eventLoop.schedule(delay, () -> settle(queue));
        }
    }

    private void settle(ArrayDeque<Deferred> queue) {
        eventLoop.inBackground(() -> settleSome(queue));
    }

    private boolean settleSome(ArrayDeque<Deferred> queue) {
        long now = eventLoop.nanoTime();
        for (int i = 0; i < SETTLED_PER_STEP; i++) {
            Deferred first = queue.peek();
            if (first == null) {
                return false;
            }
            if (first.dueNanos - now > 0) {
                eventLoop.schedule(Duration.ofNanos(first.dueNanos - now), () -> settle(queue));
                return false;
            }
            queue.remove();
            settle(first.counts);
        }
        return true;
    }

    private void settle(Counts counts) {
        counts.isDeferred = false;
        if (!counts.isAsAnnounced()) {
            announce(counts);
        }
        if (counts.subscribers() == 0) {
            byFilter.remove(counts.filter.value());
        }
    }
}

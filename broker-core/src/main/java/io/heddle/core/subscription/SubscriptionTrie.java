package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * All subscriptions of a node, found by topic name. A node of the trie is a level of a topic filter; {@code +} and {@code #}
 * have places of their own beside the named children.
 *
 * <p>Any thread may match, without locks and without allocating. Writers take turns (one lock, held for one change); a match
 * that runs meanwhile sees each single change or does not; of several changes it may see some, so a client that ends a
 * subscription and makes it again while a match runs may be found twice. Nodes that hold nothing are removed. Bounded by what limits
 * subscriptions per client and levels per filter; the latter also bounds the recursion here.
 */
@HotPath
public final class SubscriptionTrie {
    private final Node root = new Node();
    // Changed under the lock, read by gauges.
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicInteger nodeCount = new AtomicInteger(1);

    /** Receives what a match finds. */
    public interface Matches {
        /** The subscriptions that follow belong to another filter than those before. */
        void nextFilter();

        /** A client's own subscription that matches. */
        void add(LocalSession session, Subscription subscription);

        /** A shared subscription that matches: one of its members gets the message. */
        void add(SharedGroup group);
    }

    /**
     * Adds a subscription, or replaces the one that this session has for the same filter. A shared one makes the session a
     * member of the filter's group of that share name, in place of the session that the same client had there before.
     *
     * @return the one that was replaced, or null
     */
    public synchronized @Nullable Subscription put(LocalSession session, Subscription subscription) {
        TopicFilter filter = subscription.topicFilter();
        Node node = root;
        for (int i = 0; i < filter.levelCount(); i++) {
            node = childOrNew(node, filter, i);
        }
        SubscriberSet set = node.subscribers;
        if (set == null) {
            set = new SubscriberSet();
            node.subscribers = set;
        }
        String shareName = filter.shareName();
        Subscription replaced = shareName == null
                ? set.put(session, subscription)
                : joinGroup(set, new SharedGroup(shareName), session, subscription);
        if (replaced == null) {
            size.incrementAndGet();
        }
        return replaced;
    }

    /**
     * Removes a session's subscription for a filter, or its membership in the filter's group.
     *
     * @return whether there was one
     */
    public synchronized boolean remove(LocalSession session, TopicFilter filter) {
        Node[] path = new Node[filter.levelCount() + 1];
        path[0] = root;
        for (int i = 0; i < filter.levelCount(); i++) {
            Node child = child(path[i], filter, i);
            if (child == null) {
                return false;
            }
            path[i + 1] = child;
        }
        Node last = path[filter.levelCount()];
        SubscriberSet set = last.subscribers;
        if (set == null || !remove(set, session, filter)) {
            return false;
        }
        size.decrementAndGet();
        if (set.isEmpty()) {
            last.subscribers = null;
        }
        for (int i = filter.levelCount(); i > 0 && path[i].isEmpty(); i--) {
            unlink(path[i - 1], filter, i - 1);
        }
        return true;
    }

    private static @Nullable Subscription joinGroup(
            SubscriberSet set, SharedGroup named, LocalSession session, Subscription subscription) {
        SharedGroup group = set.group(named);
        if (group != null) {
            return group.put(session, subscription);
        }
        // Its first member is in before anybody sees it.
        named.put(session, subscription);
        set.put(named, subscription);
        return null;
    }

    private static boolean remove(SubscriberSet set, LocalSession session, TopicFilter filter) {
        String shareName = filter.shareName();
        if (shareName == null) {
            return set.remove(session);
        }
        SharedGroup group = set.group(new SharedGroup(shareName));
        if (group == null || !group.remove(session)) {
            return false;
        }
        if (group.isEmpty()) {
            set.remove(group);
        }
        return true;
    }

    /** Hands every subscription that matches a topic to {@code matches}. */
    public void match(TopicName topic, Matches matches) {
        match(root, topic, 0, matches);
    }

    /** How many subscriptions there are; each member of a group is one. */
    public int size() {
        return size.get();
    }

    /** How many nodes the trie has, its root included. */
    public int nodeCount() {
        return nodeCount.get();
    }

    private static void match(Node node, TopicName topic, int depth, Matches matches) {
        // A filter that begins with a wildcard does not match a topic that begins with $ [MQTT-4.7.2-1].
        boolean wildcardsMatch = depth > 0 || !topic.isDollarTopic();
        if (wildcardsMatch) {
            // # matches its parent level too: a/# matches a (MQTT 5.0, section 4.7.1.2).
            Node multiLevel = node.multiLevel;
            if (multiLevel != null) {
                report(multiLevel, matches);
            }
        }
        if (depth == topic.levelCount()) {
            report(node, matches);
            return;
        }
        Map<String, Node> named = node.named;
        if (named != null) {
            Node child = named.get(topic.level(depth));
            if (child != null) {
                match(child, topic, depth + 1, matches);
            }
        }
        Node singleLevel = node.singleLevel;
        if (singleLevel != null && wildcardsMatch) {
            match(singleLevel, topic, depth + 1, matches);
        }
    }

    private static void report(Node node, Matches matches) {
        SubscriberSet set = node.subscribers;
        if (set != null) {
            matches.nextFilter();
            set.report(matches);
        }
    }

    private static @Nullable Node child(Node node, TopicFilter filter, int index) {
        if (filter.isSingleLevelWildcard(index)) {
            return node.singleLevel;
        }
        if (filter.isMultiLevelWildcard(index)) {
            return node.multiLevel;
        }
        Map<String, Node> named = node.named;
        return named == null ? null : named.get(filter.level(index));
    }

    private Node childOrNew(Node node, TopicFilter filter, int index) {
        Node existing = child(node, filter, index);
        if (existing != null) {
            return existing;
        }
        Node created = new Node();
        if (filter.isSingleLevelWildcard(index)) {
            node.singleLevel = created;
        } else if (filter.isMultiLevelWildcard(index)) {
            node.multiLevel = created;
        } else {
            ConcurrentHashMap<String, Node> named = node.named;
            if (named == null) {
                named = new ConcurrentHashMap<>(2);
                node.named = named;
            }
            named.put(filter.level(index), created);
        }
        nodeCount.incrementAndGet();
        return created;
    }

    private void unlink(Node parent, TopicFilter filter, int index) {
        if (filter.isSingleLevelWildcard(index)) {
            parent.singleLevel = null;
        } else if (filter.isMultiLevelWildcard(index)) {
            parent.multiLevel = null;
        } else {
            ConcurrentHashMap<String, Node> named = parent.named;
            if (named != null) {
                named.remove(filter.level(index));
                if (named.isEmpty()) {
                    parent.named = null;
                }
            }
        }
        nodeCount.decrementAndGet();
    }

    private static final class Node {
        volatile @Nullable ConcurrentHashMap<String, Node> named;
        volatile @Nullable Node singleLevel;
        volatile @Nullable Node multiLevel;
        volatile @Nullable SubscriberSet subscribers;

        boolean isEmpty() {
            return named == null && singleLevel == null && multiLevel == null && subscribers == null;
        }
    }
}

package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.quota.ExceededLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * All subscriptions that a node knows, and the interest of other nodes, found by topic name. Each trie node is a level of a topic
 * filter. The child for {@code +} is stored separately from the named children; {@code #} has no node, and its subscribers are stored at
 * its parent level.
 *
 * <p>Any thread may match, without locks or allocation. Writers are serialized by one lock, held for one change. A concurrent
 * match finds each unchanged subscription exactly once, and one that is added or removed meanwhile at most once. Empty nodes are
 * removed.
 *
 * <p>Bounds: a match visits at most as many nodes as its topic has levels, plus {@link SubscriptionLimits#wildcardPatterns}, plus the root,
 * whatever the clients subscribe to ({@link WildcardPatterns}); more if {@link #apply} has exceeded the limit. It recurses no deeper than
 * the topic has levels. A change moves at most a few dozen references for each level of its filter, however many filters, subscribers and
 * group members there are.
 */
@HotPath
public final class SubscriptionTrie {
    private final SubscriptionLimits limits;
    private final RemoteNodes nodes = new RemoteNodes();
    private final TrieNode root = new TrieNode("");
    // Guarded by the lock.
    private final WildcardPatterns patterns;
    private final LevelNames names = new LevelNames(1 << 10);
    /** The highest number of members of a group when {@link #apply} added one. */
    private int mostAppliedMembers;
    // Written under the lock, read by gauges.
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicInteger nodeCount = new AtomicInteger(1);

    /** Receives the subscriptions that a match finds. */
    public interface Matches {
        /** Announces that the following subscriptions belong to another filter. */
        void nextFilter();

        void add(LocalSession session, Subscription subscription);

        /** Reports a matching subscription of a session that outlives its connections. */
        void add(PersistentSubscriber session, Subscription subscription);

        /** Reports a matching shared subscription: one of its members receives the message. */
        void add(SharedGroup group);

        /** Reports another node, which may be gone. */
        void add(RemoteNode node, RemoteNode.Interest interest);
    }

    /** Creates an empty trie with {@link SubscriptionLimits#DEFAULTS}. */
    public SubscriptionTrie() {
        this(SubscriptionLimits.DEFAULTS);
    }

    /** Creates an empty trie. */
    public SubscriptionTrie(SubscriptionLimits limits) {
        this.limits = limits;
        this.patterns = new WildcardPatterns(limits);
    }

    /**
     * Adds a subscription, or replaces this session's subscription to the same filter. A shared subscription makes the session a
     * member of the group, replacing an earlier session of the same client.
     *
     * @return the replaced subscription, or null
     * @throws ProtocolException with {@link ReasonCode#QUOTA_EXCEEDED} if it would exceed the limits; nothing is changed then
     */
    public synchronized @Nullable Subscription put(SessionSubscriber session, Subscription subscription) {
        String[] levels = subscription.topicFilter().levels();
        patterns.requireRoomFor(levels, depth(levels), session.clientId());
        return put(session, subscription, limits.groupMembers());
    }

    /**
     * Adds or replaces a subscription of the log, regardless of the limits: the node that committed it has admitted it. Nodes may have
     * different limits, and a replay adds subscriptions in another order.
     */
    public synchronized void apply(SessionSubscriber session, Subscription subscription) {
        put(session, subscription, Integer.MAX_VALUE);
        TopicFilter filter = subscription.topicFilter();
        SharedGroup group = filter.isShared() ? group(filter) : null;
        if (group != null) {
            mostAppliedMembers = Math.max(mostAppliedMembers, group.size());
        }
    }

    /** Returns the limits that the applied subscriptions exceed. */
    public synchronized List<ExceededLimit> exceededLimits() {
        List<ExceededLimit> exceeded = new ArrayList<>();
        ExceededLimit.check(
                exceeded, "heddle.subscription.maximum-wildcard-patterns", limits.wildcardPatterns(), patterns.count());
        ExceededLimit.check(
                exceeded,
                "heddle.subscription.maximum-wildcard-patterns-per-client",
                limits.wildcardPatternsPerClient(),
                patterns.largestShare());
        ExceededLimit.check(
                exceeded, "heddle.subscription.maximum-group-members", limits.groupMembers(), mostAppliedMembers);
        return exceeded;
    }

    /** Returns the other members of the cluster. */
    public RemoteNodes nodes() {
        return nodes;
    }

    /**
     * Adds or replaces the interest of another node, regardless of the limits: that node has admitted the subscriptions.
     *
     * @param members of a shared subscription on that node, at least 1; unused for other filters
     */
    public synchronized void put(RemoteNode node, TopicFilter filter, RemoteNode.Interest interest, int members) {
        String[] levels = filter.levels();
        boolean multiLevel = isMultiLevelWildcard(levels[levels.length - 1]);
        enter(levels, depth(levels), null).put(multiLevel, node, filter, interest, members);
    }

    private @Nullable Subscription put(SessionSubscriber session, Subscription subscription, int maximumMembers) {
        String[] levels = subscription.topicFilter().levels();
        boolean multiLevel = isMultiLevelWildcard(levels[levels.length - 1]);
        TrieNode node = enter(levels, depth(levels), session.clientId());
        Subscription replaced = node.put(multiLevel, session, subscription, maximumMembers);
        if (replaced == null) {
            size.incrementAndGet();
        }
        return replaced;
    }

    /** Returns the node of a filter, which is created if there is none. */
    private TrieNode enter(String[] levels, int depth, @Nullable ClientId client) {
        TrieNode node = root;
        WildcardPatterns.Pattern pattern = patterns.root();
        for (int i = 0; i < depth; i++) {
            boolean wildcard = isSingleLevelWildcard(levels[i]);
            TrieNode child = wildcard ? node.singleLevel : ChildMap.find(node.named, levels[i]);
            if (child == null) {
                child = newChild(node, levels[i], wildcard);
                pattern = patterns.enter(pattern, wildcard, client);
            } else {
                pattern = patterns.reuse(pattern, wildcard, client);
            }
            node = child;
        }
        return node;
    }

    /**
     * Removes a session's subscription for a filter, or its membership in the filter's group; or the interest of another node.
     *
     * @return whether there was a subscription or an interest
     */
    public synchronized boolean remove(Subscriber subscriber, TopicFilter filter) {
        String[] levels = filter.levels();
        boolean multiLevel = isMultiLevelWildcard(levels[levels.length - 1]);
        int depth = depth(levels);
        TrieNode[] path = new TrieNode[depth + 1];
        WildcardPatterns.Pattern[] pathPatterns = new WildcardPatterns.Pattern[depth + 1];
        path[0] = root;
        pathPatterns[0] = patterns.root();
        for (int i = 0; i < depth; i++) {
            boolean wildcard = isSingleLevelWildcard(levels[i]);
            TrieNode child = wildcard ? path[i].singleLevel : ChildMap.find(path[i].named, levels[i]);
            if (child == null) {
                return false;
            }
            path[i + 1] = child;
            pathPatterns[i + 1] = patterns.follow(pathPatterns[i], wildcard);
        }
        if (!path[depth].remove(multiLevel, subscriber, filter.shareName())) {
            return false;
        }
        if (subscriber instanceof SessionSubscriber) {
            size.decrementAndGet();
        }
        for (int i = depth; i > 0 && path[i].isEmpty(); i--) {
            boolean wildcard = isSingleLevelWildcard(levels[i - 1]);
            unlink(path[i - 1], path[i], wildcard);
            patterns.leave(pathPatterns[i - 1], wildcard);
        }
        return true;
    }

    /**
     * Updates a shared subscription after a session's client connected or disconnected. Called by the session's owner; does not
     * wait for other changes of the trie.
     */
    public void connectionChanged(SessionSubscriber session, TopicFilter sharedFilter) {
        SharedGroup group = group(sharedFilter);
        if (group != null) {
            group.connectionChanged(session);
        }
    }

    /** Returns the group of a shared subscription, or null if it has no members. Any thread, lock-free. */
    public @Nullable SharedGroup group(TopicFilter sharedFilter) {
        String shareName = sharedFilter.shareName();
        Object subscribers = subscribers(sharedFilter);
        if (shareName == null || subscribers == null) {
            return null;
        }
        Subscribers.Entry found = Subscribers.find(subscribers, new SharedGroup(shareName));
        return found != null && found.target() instanceof SharedGroup group ? group : null;
    }

    /**
     * Returns an equal subscription of another client if one is found quickly, otherwise the argument, so that clients of one
     * filter share an instance. Any thread, lock-free.
     */
    public Subscription shared(SessionSubscriber session, Subscription subscription) {
        Subscription same;
        if (subscription.topicFilter().isShared()) {
            SharedGroup group = group(subscription.topicFilter());
            same = group == null ? null : group.findEqual(subscription);
        } else {
            same = Subscribers.findEqual(subscribers(subscription.topicFilter()), subscription, session.hashCode());
        }
        return same == null ? subscription : same;
    }

    /** Returns the subscribers of a filter in the container of {@link Subscribers}, lock-free. */
    private @Nullable Object subscribers(TopicFilter filter) {
        String[] levels = filter.levels();
        boolean multiLevel = isMultiLevelWildcard(levels[levels.length - 1]);
        int depth = depth(levels);
        TrieNode node = root;
        for (int i = 0; i < depth && node != null; i++) {
            node = isSingleLevelWildcard(levels[i]) ? node.singleLevel : ChildMap.find(node.named, levels[i]);
        }
        return node == null ? null : node.subscribers(multiLevel);
    }

    /**
     * Reports every subscription that matches a topic.
     *
     * @return the number of visited nodes
     */
    public int match(TopicName topic, Matches matches) {
        return match(root, topic, 0, matches);
    }

    /** Reports the subscribers of a filter, and all groups of the filter without its share name. Any thread, lock-free. */
    public void subscribers(TopicFilter filter, Matches matches) {
        report(subscribers(filter), matches);
    }

    /** Returns the node above the first levels. */
    TrieNode root() {
        return root;
    }

    /** Returns the number of subscriptions; each member of a group counts as one. */
    public int size() {
        return size.get();
    }

    /** Returns the number of nodes, including the root. */
    public int nodeCount() {
        return nodeCount.get();
    }

    /** Returns the number of wildcard patterns, as {@link SubscriptionLimits} counts them. */
    public int wildcardPatterns() {
        return patterns.count();
    }

    /** Returns the number of wildcard patterns used by one client only. */
    synchronized int wildcardPatterns(ClientId client) {
        return patterns.count(client);
    }

    private static int match(TrieNode from, TopicName topic, int fromDepth, Matches matches) {
        int looked = 0;
        TrieNode node = from;
        int depth = fromDepth;
        while (true) {
            looked++;
            // A filter that begins with a wildcard does not match a topic that begins with $ [MQTT-4.7.2-1].
            boolean wildcardsMatch = depth > 0 || !topic.isDollarTopic();
            if (wildcardsMatch) {
                // # matches its parent level too: a/# matches a (MQTT 5.0, section 4.7.1.2).
                report(node.multiLevelSubscribers, matches);
            }
            if (depth == topic.levelCount()) {
                report(node.subscribers, matches);
                return looked;
            }
            TrieNode named = ChildMap.find(node.named, topic, depth);
            TrieNode singleLevel = wildcardsMatch ? node.singleLevel : null;
            depth++;
            if (named == null) {
                if (singleLevel == null) {
                    return looked;
                }
                node = singleLevel;
            } else {
                if (singleLevel != null) {
                    looked += match(singleLevel, topic, depth, matches);
                }
                node = named;
            }
        }
    }

    private static void report(@Nullable Object subscribers, Matches matches) {
        if (subscribers != null) {
            matches.nextFilter();
            Subscribers.report(subscribers, matches);
        }
    }

    private TrieNode newChild(TrieNode parent, String level, boolean wildcard) {
        TrieNode created = new TrieNode(wildcard ? "" : names.intern(level));
        if (wildcard) {
            parent.singleLevel = created;
        } else {
            parent.named = ChildMap.with(parent.named, created);
        }
        nodeCount.incrementAndGet();
        return created;
    }

    private void unlink(TrieNode parent, TrieNode child, boolean wildcard) {
        if (wildcard) {
            parent.singleLevel = null;
        } else {
            parent.named = ChildMap.without(parent.named, child);
        }
        nodeCount.decrementAndGet();
    }

    /** Returns the number of nodes below the root that a filter needs; {@code #} needs none. */
    private static int depth(String[] levels) {
        return isMultiLevelWildcard(levels[levels.length - 1]) ? levels.length - 1 : levels.length;
    }

    static boolean isSingleLevelWildcard(String level) {
        return level.equals("+");
    }

    private static boolean isMultiLevelWildcard(String level) {
        return level.equals("#");
    }
}

package io.heddle.core.subscription;

import io.heddle.core.Limit;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts wildcard patterns, which are the levels at which filters have {@code +}. A topic visits at most one trie node for each
 * prefix of a pattern, because the pattern determines which levels of the node are the topic's own. The number of patterns
 * therefore bounds a match, however many filters there are. Patterns without {@code +} are not counted, because there is only one
 * for each depth. {@code #} adds no node.
 *
 * <p>Ordinary patterns, whose {@code +} are all among the first few levels, are limited in number and always accepted. The others
 * are limited for all clients together. A pattern used by only one client also counts against that client's share, so that one
 * client cannot exhaust the total. It stops counting for the client once another client uses it.
 *
 * <p>Guarded by the trie's lock. Bounded by its limit, or by the subscriptions of the log if they exceed the limit, and by the depth of
 * filters.
 */
final class WildcardPatterns {
    private final int limit;
    private final int limitPerClient;
    private final int ordinaryLevels;
    private final Pattern root = new Pattern(0, 0, false);
    /** The number of patterns that count for each client; at most one entry per pattern. */
    private final Map<ClientId, Integer> shares = new HashMap<>();
    // Written under the lock, read by a gauge.
    private final AtomicInteger count = new AtomicInteger();

    static final class Pattern {
        private final int depth;
        /** The level of the last wildcard, counted from 1; 0 if there is none. */
        private final int wildcardDepth;
        /** True if the pattern counts against the limits. */
        private final boolean counts;
        /** The only client that uses it; null if it counts for no client. */
        private @Nullable ClientId owner;

        private @Nullable Pattern named;
        private @Nullable Pattern wildcard;
        private int nodes;

        private Pattern(int depth, int wildcardDepth, boolean counts) {
            this.depth = depth;
            this.wildcardDepth = wildcardDepth;
            this.counts = counts;
        }

        private @Nullable Pattern child(boolean isWildcard) {
            return isWildcard ? wildcard : named;
        }

        private void child(boolean isWildcard, @Nullable Pattern child) {
            if (isWildcard) {
                wildcard = child;
            } else {
                named = child;
            }
        }
    }

    WildcardPatterns(SubscriptionLimits limits) {
        this.limit = limits.wildcardPatterns();
        this.limitPerClient = limits.wildcardPatternsPerClient();
        this.ordinaryLevels = limits.ordinaryLevels();
    }

    /** Returns whether a pattern has a wildcard and is not ordinary. */
    private boolean counts(int depth, int wildcardDepth) {
        return wildcardDepth > 0 && (wildcardDepth > ordinaryLevels || depth > 2 * ordinaryLevels);
    }

    /** Returns the empty pattern. */
    Pattern root() {
        return root;
    }

    /** Returns the number of counted patterns. Any thread. */
    int count() {
        return count.get();
    }

    int count(ClientId client) {
        return shares.getOrDefault(client, 0);
    }

    /** Returns the highest number of patterns that count for one client. */
    int largestShare() {
        int largest = 0;
        for (int share : shares.values()) {
            largest = Math.max(largest, share);
        }
        return largest;
    }

    /** Throws if the patterns of a client's filter would exceed a limit. Changes nothing. */
    void requireRoomFor(String[] levels, int depth, ClientId client) {
        Pattern pattern = root;
        int wildcardDepth = 0;
        int added = 0;
        for (int i = 0; i < depth; i++) {
            boolean isWildcard = SubscriptionTrie.isSingleLevelWildcard(levels[i]);
            wildcardDepth = isWildcard ? i + 1 : wildcardDepth;
            pattern = pattern == null ? null : pattern.child(isWildcard);
            if (pattern == null && counts(i + 1, wildcardDepth)) {
                added++;
            }
        }
        if (added == 0) {
            return;
        }
        if (count() + added > limit) {
            throw new ProtocolException(
                    ReasonCode.QUOTA_EXCEEDED,
                    "the subscriptions have too many different wildcard patterns (positions of +)",
                    new Limit("heddle.subscription.maximum-wildcard-patterns", limit));
        }
        if (count(client) + added > limitPerClient) {
            throw new ProtocolException(
                    ReasonCode.QUOTA_EXCEEDED,
                    "the client's subscriptions have too many wildcard patterns (positions of +) that no other client uses",
                    new Limit("heddle.subscription.maximum-wildcard-patterns-per-client", limitPerClient));
        }
    }

    /**
     * Counts a new trie node and returns its pattern.
     *
     * @param client whose subscription it is, or null for the interest of another node, which counts for no client
     */
    Pattern enter(Pattern parent, boolean isWildcard, @Nullable ClientId client) {
        Pattern pattern = parent.child(isWildcard);
        if (pattern == null) {
            int depth = parent.depth + 1;
            int wildcardDepth = isWildcard ? depth : parent.wildcardDepth;
            pattern = new Pattern(depth, wildcardDepth, counts(depth, wildcardDepth));
            parent.child(isWildcard, pattern);
            if (pattern.counts) {
                count.incrementAndGet();
                if (client != null) {
                    pattern.owner = client;
                    shares.merge(client, 1, Integer::sum);
                }
            }
        } else {
            share(pattern, client);
        }
        pattern.nodes++;
        return pattern;
    }

    /** Records that a client's subscription, or another node's interest, uses an existing node and returns its pattern. */
    Pattern reuse(Pattern parent, boolean isWildcard, @Nullable ClientId client) {
        Pattern pattern = follow(parent, isWildcard);
        share(pattern, client);
        return pattern;
    }

    private void share(Pattern pattern, @Nullable ClientId client) {
        if (pattern.owner != null && !pattern.owner.equals(client)) {
            disown(pattern);
        }
    }

    private void disown(Pattern pattern) {
        if (pattern.owner != null) {
            shares.computeIfPresent(pattern.owner, (_, patterns) -> patterns == 1 ? null : patterns - 1);
            pattern.owner = null;
        }
    }

    /** Returns the pattern of an existing child. */
    Pattern follow(Pattern parent, boolean isWildcard) {
        Pattern pattern = parent.child(isWildcard);
        if (pattern == null) {
            throw new IllegalStateException("a trie node has no counted pattern");
        }
        return pattern;
    }

    /** Discounts a removed trie node. */
    void leave(Pattern parent, boolean isWildcard) {
        Pattern pattern = follow(parent, isWildcard);
        pattern.nodes--;
        if (pattern.nodes == 0) {
            parent.child(isWildcard, null);
            if (pattern.counts) {
                count.decrementAndGet();
                disown(pattern);
            }
        }
    }
}

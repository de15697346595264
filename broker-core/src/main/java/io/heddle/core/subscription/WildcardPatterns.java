package io.heddle.core.subscription;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * In which levels the filters have {@code +}. A topic meets at most one trie node for each beginning of such a pattern, because
 * the pattern says which of the node's levels are the topic's own; so their number bounds what a match looks at, however many
 * filters there are. Patterns without {@code +} are not counted: of them there is one for each depth. {@code #} adds no node.
 *
 * <p>Ordinary patterns, whose {@code +} are all among a few first levels, are few in all: there is always room for them. Of the
 * others all clients together may have so many, and one client no more than its share of those that it alone brought in: otherwise
 * it could use up the room of all. A pattern that another client has had too counts for nobody any more.
 *
 * <p>Changed under the trie's lock only. Bounded by its limit and the depth of filters.
 */
final class WildcardPatterns {
    private final int limit;
    private final int limitPerClient;
    private final int ordinaryLevels;
    private final Pattern root = new Pattern(0, 0, false);
    /** How many patterns count for a client; no more entries than patterns. */
    private final Map<ClientId, Integer> shares = new HashMap<>();
    // Changed under the lock, read by a gauge.
    private final AtomicInteger count = new AtomicInteger();

    /** The beginning of a pattern. */
    static final class Pattern {
        private final int depth;
        /** How many levels there are up to the last wildcard. */
        private final int wildcardDepth;
        /** Whether it is counted. */
        private final boolean counts;
        /** The client that brought it in; null when it counts for nobody. */
        private @Nullable ClientId owner;

        private @Nullable Pattern named;
        private @Nullable Pattern wildcard;
        /** Trie nodes that have it. */
        private int nodes;

        private Pattern(int depth, int wildcardDepth, boolean counts) {
            this.depth = depth;
            this.wildcardDepth = wildcardDepth;
            this.counts = counts;
        }

        private @Nullable Pattern next(boolean isWildcard) {
            return isWildcard ? wildcard : named;
        }

        private void next(boolean isWildcard, @Nullable Pattern next) {
            if (isWildcard) {
                wildcard = next;
            } else {
                named = next;
            }
        }
    }

    /** None yet. */
    WildcardPatterns(SubscriptionLimits limits) {
        this.limit = limits.wildcardPatterns();
        this.limitPerClient = limits.wildcardPatternsPerClient();
        this.ordinaryLevels = limits.ordinaryLevels();
    }

    /** Whether a pattern of so many levels, with its last wildcard in this one, counted from 1, is neither ordinary nor without any. */
    private boolean counts(int depth, int wildcardDepth) {
        return wildcardDepth > 0 && (wildcardDepth > ordinaryLevels || depth > 2 * ordinaryLevels);
    }

    /** The pattern of no levels. */
    Pattern root() {
        return root;
    }

    /** How many beginnings with a wildcard there are, without the ordinary ones; any thread may ask. */
    int count() {
        return count.get();
    }

    /** How many of them count for a client. */
    int count(ClientId client) {
        return shares.getOrDefault(client, 0);
    }

    /** Throws when the patterns that a client's filter would add are more than there may be. Changes nothing. */
    void requireRoomFor(String[] levels, int depth, ClientId client) {
        Pattern pattern = root;
        int wildcardDepth = 0;
        int added = 0;
        for (int i = 0; i < depth; i++) {
            boolean isWildcard = SubscriptionTrie.isSingleLevelWildcard(levels[i]);
            wildcardDepth = isWildcard ? i + 1 : wildcardDepth;
            pattern = pattern == null ? null : pattern.next(isWildcard);
            if (pattern == null && counts(i + 1, wildcardDepth)) {
                added++;
            }
        }
        if (added == 0) {
            return;
        }
        if (count() + added > limit) {
            throw new ProtocolException(
                    ReasonCode.QUOTA_EXCEEDED, "the subscriptions have too many different arrangements of +");
        }
        if (count(client) + added > limitPerClient) {
            throw new ProtocolException(
                    ReasonCode.QUOTA_EXCEEDED,
                    "the client's subscriptions have too many arrangements of + that no other client's have");
        }
    }

    /** A trie node came because of a client's subscription: returns the pattern of its filter. */
    Pattern enter(Pattern parent, boolean isWildcard, ClientId client) {
        Pattern pattern = parent.next(isWildcard);
        if (pattern == null) {
            int depth = parent.depth + 1;
            int wildcardDepth = isWildcard ? depth : parent.wildcardDepth;
            pattern = new Pattern(depth, wildcardDepth, counts(depth, wildcardDepth));
            parent.next(isWildcard, pattern);
            if (pattern.counts) {
                count.incrementAndGet();
                pattern.owner = client;
                shares.merge(client, 1, Integer::sum);
            }
        } else {
            share(pattern, client);
        }
        pattern.nodes++;
        return pattern;
    }

    /** A client subscribes through a node that is there: returns the pattern of its filter. */
    Pattern enterAgain(Pattern parent, boolean isWildcard, ClientId client) {
        Pattern pattern = follow(parent, isWildcard);
        share(pattern, client);
        return pattern;
    }

    private void share(Pattern pattern, ClientId client) {
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

    /** The pattern of the child of a node that is there. */
    Pattern follow(Pattern parent, boolean isWildcard) {
        Pattern pattern = parent.next(isWildcard);
        if (pattern == null) {
            throw new IllegalStateException("a node of the trie whose pattern was not counted");
        }
        return pattern;
    }

    /** A trie node went. */
    void leave(Pattern parent, boolean isWildcard) {
        Pattern pattern = follow(parent, isWildcard);
        pattern.nodes--;
        if (pattern.nodes == 0) {
            parent.next(isWildcard, null);
            if (pattern.counts) {
                count.decrementAndGet();
                disown(pattern);
            }
        }
    }
}

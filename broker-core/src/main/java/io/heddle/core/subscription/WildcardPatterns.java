package io.heddle.core.subscription;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * In which levels the filters have {@code +}. A topic meets at most one trie node for each beginning of such a pattern, because
 * the pattern says which of the node's levels are the topic's own; so their number bounds what a match looks at, however many
 * filters there are. Patterns without {@code +} are not counted: of them there is one for each depth. {@code #} adds no node.
 *
 * <p>Changed under the trie's lock only. Bounded by its limit and the depth of filters.
 */
final class WildcardPatterns {
    private final int limit;
    private final Pattern root = new Pattern(false);
    // Changed under the lock, read by a gauge.
    private final AtomicInteger count = new AtomicInteger();

    /** The beginning of a pattern. */
    static final class Pattern {
        private final boolean hasWildcard;
        private @Nullable Pattern named;
        private @Nullable Pattern wildcard;
        /** Trie nodes that have it. */
        private int nodes;

        private Pattern(boolean hasWildcard) {
            this.hasWildcard = hasWildcard;
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
    WildcardPatterns(int limit) {
        this.limit = limit;
    }

    /** The pattern of no levels. */
    Pattern root() {
        return root;
    }

    /** How many beginnings with a wildcard there are; any thread may ask. */
    int count() {
        return count.get();
    }

    /** Throws when the patterns that a filter would add are more than there may be. Changes nothing. */
    void requireRoomFor(String[] levels, int depth) {
        Pattern pattern = root;
        boolean hasWildcard = false;
        int added = 0;
        for (int i = 0; i < depth; i++) {
            boolean isWildcard = SubscriptionTrie.isSingleLevelWildcard(levels[i]);
            hasWildcard |= isWildcard;
            pattern = pattern == null ? null : pattern.next(isWildcard);
            if (pattern == null && hasWildcard) {
                added++;
            }
        }
        if (added > 0 && count() + added > limit) {
            throw new ProtocolException(
                    ReasonCode.QUOTA_EXCEEDED, "the subscriptions have too many different arrangements of +");
        }
    }

    /** A trie node came: returns the pattern of its filter. */
    Pattern enter(Pattern parent, boolean isWildcard) {
        Pattern pattern = parent.next(isWildcard);
        if (pattern == null) {
            pattern = new Pattern(parent.hasWildcard || isWildcard);
            parent.next(isWildcard, pattern);
            if (pattern.hasWildcard) {
                count.incrementAndGet();
            }
        }
        pattern.nodes++;
        return pattern;
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
            if (pattern.hasWildcard) {
                count.decrementAndGet();
            }
        }
    }
}

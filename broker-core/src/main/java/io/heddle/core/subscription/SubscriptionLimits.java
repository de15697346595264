package io.heddle.core.subscription;

/**
 * How large what all clients of a node subscribe to together may become, so that no message takes too long to match.
 *
 * @param wildcardPatterns how many different arrangements of {@code +} the filters may have, each of its beginnings counted and
 *     the ordinary ones not: a match looks at no more nodes of the trie than these and the levels of its topic; 0 or more
 * @param wildcardPatternsPerClient how many of them one client may bring in that no other client has; 0 or more
 * @param ordinaryLevels an arrangement is ordinary, and nobody can use up the room for it, when all its {@code +} are among so
 *     many first levels and it has at most twice as many levels; 0 to 8. There are 498 at 6
 * @param groupMembers how many clients may share one subscription; at least 1
 */
public record SubscriptionLimits(
        int wildcardPatterns, int wildcardPatternsPerClient, int ordinaryLevels, int groupMembers) {
    /** What applications arrange on purpose is within the first levels. */
    public static final int ORDINARY_LEVELS = 6;

    /** Far above what applications arrange on purpose. */
    public static final SubscriptionLimits DEFAULTS = new SubscriptionLimits(1_000, 64, ORDINARY_LEVELS, 1_000);

    public SubscriptionLimits {
        if (wildcardPatterns < 0) {
            throw new IllegalArgumentException("wildcard patterns are " + wildcardPatterns + ": use 0 or more");
        }
        if (wildcardPatternsPerClient < 0) {
            throw new IllegalArgumentException(
                    "wildcard patterns of one client are " + wildcardPatternsPerClient + ": use 0 or more");
        }
        if (ordinaryLevels < 0 || ordinaryLevels > 8) {
            throw new IllegalArgumentException("ordinary levels are " + ordinaryLevels + ": use 0 to 8");
        }
        if (groupMembers < 1) {
            throw new IllegalArgumentException("group members are " + groupMembers + ": use 1 or more");
        }
    }
}

package io.heddle.core.subscription;

/**
 * Limits of all subscriptions of a node, which bound the time to match a message.
 *
 * @param wildcardPatterns the maximum number of wildcard patterns, which are the different positions of {@code +} in the filters;
 *     each prefix counts, ordinary patterns do not. A match visits at most this many nodes of the trie plus the levels of its
 *     topic; 0 or more
 * @param wildcardPatternsPerClient the maximum number of patterns used by one client only; 0 or more
 * @param ordinaryLevels a pattern is ordinary, and always accepted, if all its {@code +} are within this many first levels and it
 *     has at most twice as many levels; 0 to 8. There are 498 ordinary patterns at 6
 * @param groupMembers the maximum number of members of a shared subscription; at least 1
 */
public record SubscriptionLimits(
        int wildcardPatterns, int wildcardPatternsPerClient, int ordinaryLevels, int groupMembers) {
    /** Applications use wildcards within the first levels. */
    public static final int ORDINARY_LEVELS = 6;

    /** Far above the needs of applications. */
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

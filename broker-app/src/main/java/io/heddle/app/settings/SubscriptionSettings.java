package io.heddle.app.settings;

import io.heddle.core.subscription.SubscriptionLimits;
import io.heddle.persistence.SettingRule;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How large what all clients subscribe to together may become. A subscription above it is answered with reason code 0x97.
 *
 * @param maximumWildcardPatterns in how many different ways the filters of all clients may arrange their single-level wildcards;
 *     this bounds the work that one message can cause; those whose wildcards are all among the first six of at most twelve levels
 *     are always accepted and not counted
 * @param maximumWildcardPatternsPerClient how many of these one client may bring in that no other client
 *     has, so that it cannot use up the room of all
 * @param maximumGroupMembers how many clients may share one subscription
 */
public record SubscriptionSettings(
        @DefaultValue("1000") int maximumWildcardPatterns,
        @DefaultValue("64") int maximumWildcardPatternsPerClient,
        @DefaultValue("1000") int maximumGroupMembers) {
    public SubscriptionSettings {
        SettingRule.between("heddle.subscription.maximum-wildcard-patterns", maximumWildcardPatterns, 0, 1_000_000);
        SettingRule.between(
                "heddle.subscription.maximum-wildcard-patterns-per-client",
                maximumWildcardPatternsPerClient,
                0,
                1_000_000);
        SettingRule.between("heddle.subscription.maximum-group-members", maximumGroupMembers, 1, 100_000);
    }

    /** What the trie takes. */
    public SubscriptionLimits toSubscriptionLimits() {
        return new SubscriptionLimits(
                maximumWildcardPatterns,
                maximumWildcardPatternsPerClient,
                SubscriptionLimits.ORDINARY_LEVELS,
                maximumGroupMembers);
    }
}

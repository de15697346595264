package io.heddle.app.settings;

import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.subscription.SubscriptionLimits;
import io.heddle.persistence.SettingRule;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How large what all clients subscribe to together may become. A subscription above it is answered with reason code 0x97.
 *
 * @param maximumWildcardPatterns in how many different ways the filters of all clients may arrange their single-level wildcards;
 *     this bounds the work that one message can cause; those whose wildcards are all among the first six of at most twelve levels
 *     are always accepted and not counted
 * @param maximumWildcardPatternsPerClient how many of these one client may bring in that no other client
 *     has, so that it cannot use up the room of all
 * @param maximumGroupMembers how many clients may share one subscription
 * @param pendingLimit the memory for the changes of subscriptions of all persistent sessions that are being written to Kafka; further
 *     changes wait; 0B means a sixty-fourth of the heap, from 1MB to 64MB
 * @param waitingLimit the memory for the SUBSCRIBE and UNSUBSCRIBE packets that wait for that; above it SUBSCRIBE is answered with
 *     reason code 0x97, and UNSUBSCRIBE ends the connection with it; 0B means a thirty-second of the heap
 * @param pendingLimitPerClient above so many bytes of changes that wait or are being written, a client is not read
 */
public record SubscriptionSettings(
        @DefaultValue("1000") int maximumWildcardPatterns,
        @DefaultValue("64") int maximumWildcardPatternsPerClient,
        @DefaultValue("1000") int maximumGroupMembers,
        @DefaultValue("0B") DataSize pendingLimit,
        @DefaultValue("0B") DataSize waitingLimit,
        @DefaultValue("256KB") DataSize pendingLimitPerClient) {
    private static final DataSize MOST = DataSize.ofTerabytes(1);

    public SubscriptionSettings {
        SettingRule.between("heddle.subscription.maximum-wildcard-patterns", maximumWildcardPatterns, 0, 1_000_000);
        SettingRule.between(
                "heddle.subscription.maximum-wildcard-patterns-per-client",
                maximumWildcardPatternsPerClient,
                0,
                1_000_000);
        SettingRule.between("heddle.subscription.maximum-group-members", maximumGroupMembers, 1, 100_000);
        ByteLimit.between("heddle.subscription.pending-limit", pendingLimit, DataSize.ofBytes(0), MOST);
        ByteLimit.between("heddle.subscription.waiting-limit", waitingLimit, DataSize.ofBytes(0), MOST);
        ByteLimit.between(
                "heddle.subscription.pending-limit-per-client", pendingLimitPerClient, DataSize.ofBytes(1), MOST);
    }

    /** What admits changes of subscriptions to the log. */
    public AppendAdmission toAppendAdmission(MeterRegistry metrics) {
        return new AppendAdmission(
                HeapShare.PENDING_SUBSCRIPTIONS.bytes(pendingLimit),
                HeapShare.WAITING_SUBSCRIPTIONS.bytes(waitingLimit),
                pendingLimitPerClient.toBytes(),
                metrics);
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

package io.heddle.app.settings;

import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.subscription.SubscriptionLimits;
import io.heddle.persistence.SettingRule;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of subscriptions. A subscription that exceeds a limit is refused with reason code 0x97.
 *
 * @param maximumWildcardPatterns maximum number of different positions of single-level wildcards in the filters of all clients, which
 *     bounds the work for one message; filters whose wildcards are all among the first six of at most twelve levels are not counted
 * @param maximumWildcardPatternsPerClient maximum number of counted wildcard patterns that only one client uses, so that no client exhausts
 *     the limit of all
 * @param maximumGroupMembers maximum number of clients of a shared subscription
 * @param pendingLimit memory for subscription changes of all persistent sessions that are being written to Kafka; further changes wait; 0B
 *     means a sixty-fourth of the heap, from 1MB to 64MB
 * @param waitingLimit memory for the SUBSCRIBE and UNSUBSCRIBE packets that wait until their changes may be written; above it SUBSCRIBE is
 *     refused with reason code 0x97, and UNSUBSCRIBE closes the connection with that code; 0B means a thirty-second of the heap
 * @param pendingLimitPerClient while a client has this many bytes of changes that wait or are being written, its connection is not read
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

    public AppendAdmission toAppendAdmission(MeterRegistry metrics) {
        return new AppendAdmission(
                HeapShare.PENDING_SUBSCRIPTIONS.bytes(pendingLimit),
                HeapShare.WAITING_SUBSCRIPTIONS.bytes(waitingLimit),
                pendingLimitPerClient.toBytes(),
                metrics);
    }

    public SubscriptionLimits toSubscriptionLimits() {
        return new SubscriptionLimits(
                maximumWildcardPatterns,
                maximumWildcardPatternsPerClient,
                SubscriptionLimits.ORDINARY_LEVELS,
                maximumGroupMembers);
    }
}

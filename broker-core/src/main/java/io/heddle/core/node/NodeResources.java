package io.heddle.core.node;

import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.blocked.BlockedClients;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.message.tracing.Tracing;
import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.StorageRoom;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.sys.SysTopics;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a node that exist before its stores are open: its limits, and the subscriptions and retained messages in memory, which are
 * empty until the broker restores them.
 *
 * @param admission limits the changes of subscriptions that are being stored
 * @param tracing null if messages are not traced
 */
public record NodeResources(
        SubscriptionTrie trie,
        RetainedMessages retained,
        MemoryBudget memory,
        StorageRoom storage,
        AppendAdmission admission,
        Authentication authentication,
        BlockedClients blocked,
        ClientIncidents incidents,
        Ledger ledger,
        SysTopics sys,
        SteadyClock clock,
        @Nullable Tracing tracing,
        MeterRegistry metrics) {}

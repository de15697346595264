package io.heddle.core.session.inbound;

import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.publish.PublishService;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.UsedRates;
import io.heddle.core.session.outbound.SessionMetrics;

/** The components of a node that handle the messages of publishers. All are thread-safe. */
public record InboundServices(
        PublishService publishService,
        MessageLog log,
        BucketPositions positions,
        RoutingLease lease,
        MemoryBudget memory,
        SteadyClock clock,
        InboundLimits limits,
        UsedRates usedRates,
        SessionMetrics metrics) {}

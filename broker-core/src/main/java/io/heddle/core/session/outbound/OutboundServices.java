package io.heddle.core.session.outbound;

import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.MemoryBudget;

/**
 * The parts of a node that its sessions use to send QoS 1 and 2 messages. Each of them is thread-safe.
 *
 * @param limits of the messages that wait in memory
 * @param maximumInFlight the highest send quota, 1 to 32,767
 * @param others take over messages of shared subscriptions
 */
public record OutboundServices(
        QueueLimits limits,
        int maximumInFlight,
        SharedRedelivery others,
        MemoryBudget memory,
        SteadyClock clock,
        SessionMetrics metrics) {}

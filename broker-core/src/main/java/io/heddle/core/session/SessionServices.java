package io.heddle.core.session;

import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.publish.PublishService;
import io.heddle.core.quota.MemoryBudget;

/** What every session of a node works with. Thread-safe, each of them. */
public record SessionServices(
        SubscribeService subscribeService,
        PublishService publishService,
        MessageLog log,
        PersistentSessions persistent,
        Wills wills,
        QueueRedelivery redelivery,
        SessionFeeds feeds,
        MemoryBudget memory,
        SteadyClock clock,
        SessionSettings settings,
        SessionMetrics metrics) {}

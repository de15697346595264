package io.heddle.core.session.registrar;

import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.Wills;
import io.heddle.core.session.queue.QueueRedelivery;
import io.heddle.core.session.queue.SessionFeeds;

/** The parts of a node that open sessions. Each of them is thread-safe. */
record RegistrarServices(
        PersistentSessions persistent,
        SessionFeeds feeds,
        QueueRedelivery redelivery,
        Wills wills,
        MemoryBudget memory,
        SteadyClock clock) {}

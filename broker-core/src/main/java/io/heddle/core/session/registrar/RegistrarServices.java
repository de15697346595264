package io.heddle.core.session.registrar;

import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.session.persistent.Wills;
import io.heddle.core.session.queue.QueueRedelivery;
import io.heddle.core.session.queue.SessionFeeds;
import io.heddle.core.session.registrar.settlement.Settlement;
import java.util.concurrent.CompletionStage;

/** The parts of a node that open sessions. Each of them is thread-safe. */
record RegistrarServices(
        PersistentSessions persistent,
        SessionFeeds feeds,
        QueueRedelivery redelivery,
        Wills wills,
        ConnectedClients connected,
        SubscriptionEditor editor,
        Settlement settlement,
        MemoryBudget memory,
        SteadyClock clock) {
    /**
     * Registers the connection that the durable record of a session names.
     *
     * @param previousEpoch of the session's previous connection, 0 for a session that begins
     */
    CompletionStage<Registration> register(PersistentSession session, long previousEpoch) {
        SessionRecord record = session.record();
        return feeds.registry()
                .connect(
                        session.bucket(),
                        session.clientId(),
                        record.generation(),
                        previousEpoch,
                        record.epoch(),
                        record.owner());
    }
}

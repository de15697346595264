package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientEvents;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.micrometer.core.instrument.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the stores of a session's messages that its client has disconnected or the session has ended. No caller waits for the answers.
 * Thread-safe, never blocks.
 */
final class SessionCleanup {
    private static final Logger log = LoggerFactory.getLogger(SessionCleanup.class);

    private final SessionRegistry registry;
    private final ApplicationSessions applications;
    private final ClientEvents events;
    private final Counter dropped;

    /** @param dropped counts the messages that end with sessions */
    SessionCleanup(SessionRegistry registry, ApplicationSessions applications, ClientEvents events, Counter dropped) {
        this.registry = registry;
        this.applications = applications;
        this.events = events;
        this.dropped = dropped;
    }

    /** The client of a session is away. */
    void unregister(PersistentSession session, long epoch, long sentUpTo) {
        registry.disconnect(session.bucket(), session.clientId(), epoch, sentUpTo)
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        // The next connection takes the session over anyway; it only does not know the highest sequence
                        // number sent.
                        log.debug(
                                "Could not mark the client as away in the session registry: clientId={}",
                                session.clientId(),
                                failure);
                    }
                });
    }

    /** A session has ended: removes its queue. */
    void forgetQueue(int bucket, ClientId clientId, long generation) {
        registry.end(bucket, clientId, generation).whenComplete((queued, failure) -> {
            if (failure == null) {
                dropped.increment(queued);
            } else {
                // A later session begins with an empty queue anyway.
                log.debug(
                        "Could not remove the queue of an ended session; it stays until a message is queued for that"
                                + " session or the client begins another: clientId={}",
                        clientId,
                        failure);
            }
        });
    }

    /** The end of a session is durable: removes its queue and its log. */
    void onEnded(PersistentSession session) {
        forgetQueue(session.bucket(), session.clientId(), session.generation());
        endLog(session);
        events.sessionEnded(session.clientId(), session.record().userName(), session.endReason());
    }

    /** The end of a session is in the log, about which another node decides: that node removes its queue and its log. */
    void onFollowedEnd(PersistentSession session) {
        if (session.record().type() == ClientType.APPLICATION) {
            dropped.increment(applications.forget(session.clientId(), session.generation()));
        }
    }

    /** A session has ended: removes its log, if it has one. */
    void endLog(PersistentSession session) {
        if (session.record().type() == ClientType.APPLICATION) {
            applications.end(session.clientId(), session.generation()).thenAccept(dropped::increment);
        }
    }
}

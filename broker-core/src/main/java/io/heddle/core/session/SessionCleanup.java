package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.micrometer.core.instrument.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells those who keep the messages of sessions that a client has gone or its session has ended. Nobody waits for their answers.
 * Thread-safe, never blocks.
 */
final class SessionCleanup {
    private static final Logger log = LoggerFactory.getLogger(SessionCleanup.class);

    private final SessionRegistry registry;
    private final ApplicationSessions applications;
    private final Counter dropped;

    /** @param dropped counts the messages that end with sessions */
    SessionCleanup(SessionRegistry registry, ApplicationSessions applications, Counter dropped) {
        this.registry = registry;
        this.applications = applications;
        this.dropped = dropped;
    }

    /** The client of a session is away. */
    void disconnect(PersistentSession session, long epoch, long sentUpTo) {
        registry.disconnect(session.bucket(), session.clientId(), epoch, sentUpTo)
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        // The next connection takes it over all the same; it only knows less of what was sent.
                        log.debug("clientId={}: its queue was not told that it is away", session.clientId(), failure);
                    }
                });
    }

    /** A session has ended, and its queue with it. */
    void forgetQueue(int bucket, ClientId clientId, long generation) {
        registry.end(bucket, clientId, generation).whenComplete((queued, failure) -> {
            if (failure == null) {
                dropped.increment(queued);
            } else {
                // A later session begins empty all the same.
                log.debug(
                        "clientId={}: the queue of its ended session stays until a message is queued for that session or"
                                + " the client begins another",
                        clientId,
                        failure);
            }
        });
    }

    /** A session has ended, and its log, if it has one, with it. */
    void endLog(PersistentSession session) {
        if (session.record().type() == ClientType.APPLICATION) {
            applications.end(session.clientId(), session.generation()).thenAccept(dropped::increment);
        }
    }
}

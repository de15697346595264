package io.heddle.core.session.queue;

import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.Wills;

/**
 * Finds expired persistent sessions and due wills, which the loops that own the sessions end and publish, and retries failed requests to the
 * stores. Runs on the housekeeping thread.
 */
public final class SessionHousekeeping {
    private final PersistentSessions sessions;
    private final QueueRedelivery redelivery;
    private final Wills wills;

    public SessionHousekeeping(PersistentSessions sessions, QueueRedelivery redelivery, Wills wills) {
        this.sessions = sessions;
        this.redelivery = redelivery;
        this.wills = wills;
    }

    /** Ends up to this number of sessions, and publishes up to this number of wills. */
    public void run(int maximum) {
        sessions.retryWrites(maximum);
        sessions.routes().forgetWaiting(maximum);
        redelivery.retry(maximum);
        if (sessions.routes().hasRoomForEnded()) {
            sessions.endExpired(maximum, session -> {
                var _ = redelivery.end(session);
            });
        }
        wills.publishDue(maximum);
    }
}

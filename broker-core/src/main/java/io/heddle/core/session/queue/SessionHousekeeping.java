package io.heddle.core.session.queue;

import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.Wills;

/** Ends expired persistent sessions, publishes due wills, and retries failed requests to the stores. Runs on the housekeeping thread. */
public final class SessionHousekeeping {
    /** The number of sessions to end between two checks for room to remove their routes. */
    private static final int ENDED_AT_ONCE = 16;

    private final PersistentSessions sessions;
    private final QueueRedelivery redelivery;
    private final Wills wills;

    /** The housekeeping of a node's sessions. */
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
        for (int i = 0; i < maximum && sessions.routes().hasRoomForEnded(); i += ENDED_AT_ONCE) {
            var _ = sessions.endExpired(Math.min(ENDED_AT_ONCE, maximum - i), redelivery::end);
        }
        wills.publishDue(maximum);
    }
}

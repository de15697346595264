package io.heddle.core.session;

/** Ends the persistent sessions whose time is over, and publishes the wills whose delay is. Runs on the housekeeping thread. */
public final class SessionHousekeeping {
    /** After so many it is asked again whether there is room for what follows from the ends of sessions. */
    private static final int ENDED_AT_ONCE = 16;

    private final SessionServices services;

    /** Of a node's sessions. */
    public SessionHousekeeping(SessionServices services) {
        this.services = services;
    }

    /** Ends sessions that are due, and publishes wills that are, at most so many of each. */
    public void run(int maximum) {
        PersistentSessions sessions = services.persistent();
        sessions.unwritten().retry(maximum, sessions::write);
        sessions.routes().forgetWaiting(maximum);
        services.redelivery().retry(maximum);
        for (int i = 0; i < maximum && sessions.routes().hasRoomForEnded(); i += ENDED_AT_ONCE) {
            var _ = sessions.endExpired(Math.min(ENDED_AT_ONCE, maximum - i), services.redelivery()::end);
        }
        services.wills().publishDue(maximum);
    }
}

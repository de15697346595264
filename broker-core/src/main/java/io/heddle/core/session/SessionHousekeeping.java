package io.heddle.core.session;

/** Ends the persistent sessions whose time is over, and publishes the wills whose delay is. Runs on the housekeeping thread. */
public final class SessionHousekeeping {
    private final SessionServices services;

    /** Of a node's sessions. */
    public SessionHousekeeping(SessionServices services) {
        this.services = services;
    }

    /** Ends sessions that are due, and publishes wills that are, at most so many of each. */
    public void run(int maximum) {
        PersistentSessions sessions = services.persistent();
        sessions.unwritten().retry(maximum, sessions::write);
        services.redelivery().retry(maximum);
        var _ = services.persistent().endExpired(maximum, services.redelivery()::end);
        services.wills().publishDue(maximum);
    }
}

package io.heddle.core.session;

/** Ends the persistent sessions whose time is over, and publishes their wills. Runs on the housekeeping thread. */
public final class SessionHousekeeping {
    private final SessionServices services;

    /** Of a node's sessions. */
    public SessionHousekeeping(SessionServices services) {
        this.services = services;
    }

    /** Ends those that are due, at most so many. */
    public void run(int maximum) {
        for (PersistentSession ended : services.persistent().endExpired(maximum)) {
            DelayedWill kept = ended.takeDelayedWill();
            if (kept != null) {
                // Whatever the delay, it is due when the session ends [MQTT-3.1.3-9].
                kept.timer().cancel();
                services.publishWill(ended.clientId(), kept.will());
            }
        }
    }
}

package io.heddle.api.security;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counters of sign-ins of administrators, sessions and API keys by outcome, {@code heddle.admin.sign.in}. Thread-safe. */
final class SignInMetrics {
    /** The password was hashed and matched. */
    final Counter accepted;
    /** The password had matched recently, so it was not hashed. */
    final Counter remembered;
    /** An API key was right. */
    final Counter acceptedKey;
    /** An API key has expired. */
    final Counter expiredKey;
    /** A session in a browser has not ended. */
    final Counter acceptedSession;
    /** A session has ended, or a token is that of none. */
    final Counter endedSession;
    /** A change with a session had no token against cross-site requests, or a wrong one. */
    final Counter noCsrfToken;
    /** A page of another site has sent the form of the sign-in. */
    final Counter crossSite;
    /** The password or key was wrong or the name unknown. */
    final Counter refused;
    /** Refused because of earlier failures. */
    final Counter limited;
    /** Refused because too many sign-ins were being checked. */
    final Counter busy;
    /** The store did not respond. */
    final Counter unavailable;
    /** The store did not respond, and the request was for metrics. */
    final Counter withoutStore;

    SignInMetrics(MeterRegistry registry) {
        this.accepted = counter(registry, "accepted");
        this.remembered = counter(registry, "remembered");
        this.acceptedKey = counter(registry, "accepted_key");
        this.expiredKey = counter(registry, "expired_key");
        this.acceptedSession = counter(registry, "accepted_session");
        this.endedSession = counter(registry, "ended_session");
        this.noCsrfToken = counter(registry, "no_csrf_token");
        this.crossSite = counter(registry, "cross_site");
        this.refused = counter(registry, "refused");
        this.limited = counter(registry, "limited");
        this.busy = counter(registry, "busy");
        this.unavailable = counter(registry, "unavailable");
        this.withoutStore = counter(registry, "without_store");
    }

    private static Counter counter(MeterRegistry registry, String outcome) {
        return registry.counter("heddle.admin.sign.in", "outcome", outcome);
    }
}

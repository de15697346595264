package io.heddle.api.security;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts attempts to sign in by their outcome, as {@code heddle.admin.sign.in}. Thread-safe. */
final class SignInMetrics {
    /** The password was verified. */
    final Counter accepted;
    /** The password had been verified a moment ago. */
    final Counter remembered;
    /** Wrong password or unknown name. */
    final Counter refused;
    /** Too many failures before. */
    final Counter limited;
    /** Too many verifications at once. */
    final Counter busy;
    /** The store did not answer. */
    final Counter unavailable;

    SignInMetrics(MeterRegistry registry) {
        this.accepted = counter(registry, "accepted");
        this.remembered = counter(registry, "remembered");
        this.refused = counter(registry, "refused");
        this.limited = counter(registry, "limited");
        this.busy = counter(registry, "busy");
        this.unavailable = counter(registry, "unavailable");
    }

    private static Counter counter(MeterRegistry registry, String outcome) {
        return registry.counter("heddle.admin.sign.in", "outcome", outcome);
    }
}

package io.heddle.core.administration;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Conditions for entries of the audit log. All must hold; null stands for any.
 *
 * @param administrator the exact user name
 * @param action the exact action
 * @param target the exact target
 * @param from the earliest time
 * @param until the first time that is too late
 */
public record AuditFilter(
        @Nullable String administrator,
        @Nullable String action,
        @Nullable String target,
        @Nullable AuditOutcome outcome,
        @Nullable Instant from,
        @Nullable Instant until) {
    public static final AuditFilter ALL = new AuditFilter(null, null, null, null, null, null);
}

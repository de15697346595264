package io.heddle.core.administration;

import org.jspecify.annotations.Nullable;

/**
 * How a change ended.
 *
 * @param after the object after the change as JSON without secrets, or null; cut like {@link AuditAttempt#before}
 * @param detail one sentence that says why the change failed or what has not answered, or null
 */
public record AuditResult(
        AuditOutcome outcome,
        @Nullable String after,
        @Nullable String detail) {
    private static final int MAX_DETAIL_LENGTH = 1_024;

    public AuditResult {
        after = after == null ? null : AuditAttempt.cut(after, AuditAttempt.MAX_STATE_LENGTH);
        detail = detail == null ? null : AuditAttempt.cut(detail, MAX_DETAIL_LENGTH);
    }
}

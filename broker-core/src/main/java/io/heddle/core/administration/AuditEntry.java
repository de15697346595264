package io.heddle.core.administration;

import java.time.Instant;

/**
 * A change in the audit log.
 *
 * @param id unique; a later entry of the same time has a greater one
 * @param time when the change began, in microseconds, by the clock of the store
 */
public record AuditEntry(long id, Instant time, AuditAttempt attempt, AuditResult result) {}

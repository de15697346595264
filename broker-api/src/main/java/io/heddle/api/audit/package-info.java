/**
 * The audit log: who changed what, when, and how it ended.
 *
 * <p>Entry class: {@link io.heddle.api.audit.Audit}, through which every change goes; {@code AuditController} lists the entries. Runs on the
 * virtual thread of the request. Invariants: no change without an entry that was stored before; no secrets in an entry. The entries are
 * stored by {@code io.heddle.core.administration.AuditLog}.
 */
@NullMarked
package io.heddle.api.audit;

import org.jspecify.annotations.NullMarked;

/**
 * Limits of shared resources.
 *
 * <p>Entry classes: {@link io.heddle.core.quota.MemoryBudget}, which all sessions of a node share, and
 * {@link io.heddle.core.quota.AppendAdmission}, which admits changes of subscriptions. Thread-safe, never blocking. Invariant: a
 * request never exceeds the limit; only existing state, such as the sessions restored at startup, may. The caller decides what
 * follows from a refusal.
 */
@NullMarked
package io.heddle.core.quota;

import org.jspecify.annotations.NullMarked;

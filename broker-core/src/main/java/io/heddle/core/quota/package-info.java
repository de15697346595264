/**
 * Limits of shared resources.
 *
 * <p>Entry classes: {@link io.heddle.core.quota.MemoryBudget}, which all sessions of a node share, and {@link
 * io.heddle.core.quota.AppendAdmission}, which admits changes of subscriptions. Thread-safe, never blocking. Invariant: a request that
 * exceeds its limit is refused, with the exceptions that each class names, such as sessions restored at the start. The caller decides what
 * follows from a refusal.
 */
@NullMarked
package io.heddle.core.quota;

import org.jspecify.annotations.NullMarked;

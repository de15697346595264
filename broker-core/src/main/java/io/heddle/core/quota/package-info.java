/**
 * How much is allowed.
 *
 * <p>Enter at {@link io.heddle.core.quota.MemoryBudget}, which all sessions of a node take from, and {@link
 * io.heddle.core.quota.AppendAdmission}, which changes of subscriptions are admitted by. Any thread may ask. Nothing here blocks. The invariant: what somebody asked for never exceeds the limit; only what is there anyhow, such as the sessions of a
 * node that starts, may. What happens when something is not allowed is decided by whoever asked.
 */
@NullMarked
package io.heddle.core.quota;

import org.jspecify.annotations.NullMarked;

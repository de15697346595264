/**
 * How much is allowed.
 *
 * <p>Enter at {@link io.heddle.core.quota.MemoryBudget}, which all sessions of a node take from, each through its {@link
 * io.heddle.core.quota.MemoryAccount}. Any thread may ask the budget; an account is its session's. Nothing here waits. The
 * invariant: what is taken never exceeds the limit. What happens when something is not allowed is decided by whoever asked.
 */
@NullMarked
package io.heddle.core.quota;

import org.jspecify.annotations.NullMarked;

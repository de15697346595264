/**
 * Keeps the blocked clients of this node up to date, and disconnects those that are connected.
 *
 * <p>Entry class: {@link io.heddle.core.operator.blocked.BlockedWatch}. Runs on the housekeeping thread that waits for changes of credentials, too,
 * because PostgreSQL tells both over one connection. Invariant: an entry that was read is in force before the connected clients are
 * looked through, so a client that connects meanwhile is found here or by its own check.
 */
@NullMarked
package io.heddle.core.operator.blocked;

import org.jspecify.annotations.NullMarked;

/**
 * Blocked clients: by client id, pattern of client ids, user name, address or network, with a reason and perhaps an end.
 *
 * <p>Entry class: {@link io.heddle.core.authentication.blocked.BlockedClients}, of which a node has one. Event loops ask it, and one housekeeping
 * thread replaces its entries. Invariant: while the store is away, the entries that were read last stay in force until their ends. Who
 * follows the store, and disconnects clients, is {@code io.heddle.core.operator.blocked}.
 */
@NullMarked
package io.heddle.core.authentication.blocked;

import org.jspecify.annotations.NullMarked;

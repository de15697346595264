/**
 * The servers behind the stores, as administrators see them.
 *
 * <p>Entry classes: the ports {@link io.heddle.core.operator.store.LogServers} and {@link io.heddle.core.operator.store.QueueServers},
 * called on the virtual threads of requests, which they block, and {@link io.heddle.core.operator.store.TransactionWatch} with a thread of its
 * own. Invariant: nothing is changed here but the markers of hanging transactions, and those as their coordinators decided. The stores
 * themselves are ports of the packages that use them.
 */
@NullMarked
package io.heddle.core.operator.store;

import org.jspecify.annotations.NullMarked;

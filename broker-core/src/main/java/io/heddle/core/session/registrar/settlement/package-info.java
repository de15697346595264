/**
 * Tells when all nodes that route messages know a committed change.
 *
 * <p>Every node tells the others how far it has applied the log of the clients ({@link
 * io.heddle.core.session.registrar.settlement.FollowedReports}); {@link io.heddle.core.session.registrar.settlement.LinkSettlement} waits for
 * the nodes that route. {@link io.heddle.core.session.registrar.settlement.JoinBarrier} lets a node begin to route. Owner thread: one event
 * loop. Invariant: a member is waited for unless it is known that it does not route. The log itself is read elsewhere ({@code
 * session.persistent}).
 */
@NullMarked
package io.heddle.core.session.registrar.settlement;

import org.jspecify.annotations.NullMarked;

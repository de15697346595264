/**
 * Interest: the filters for which each node has subscribers whose sessions end with their connections.
 *
 * <p>Entry class: {@link io.heddle.core.routing.interest.InterestExchange}. It announces the interest of this node to all members, over
 * links, and puts theirs into the trie as {@link io.heddle.core.subscription.RemoteNode}. One event loop owns all state. Interest is never
 * in a log: it ends with its incarnation. A stale entry does no harm, because the receiver of a message matches it again; a missing one
 * would lose messages, so SUBACK waits until all reachable members have the entry.
 */
@NullMarked
package io.heddle.core.routing.interest;

import org.jspecify.annotations.NullMarked;

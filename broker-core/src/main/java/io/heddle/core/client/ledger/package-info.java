/**
 * The accounts of a node in copies of messages: what enters the way to a client, a log or another node leaves it for a reason that has a name, or is
 * held.
 *
 * <p>Entry class: {@link io.heddle.core.client.ledger.Ledger}. Each {@link io.heddle.core.client.ledger.LoopLedger} belongs to its event loop; the
 * other counts are shared. Nothing is checked here: {@code sys.ledger} does.
 */
@NullMarked
package io.heddle.core.client.ledger;

import org.jspecify.annotations.NullMarked;

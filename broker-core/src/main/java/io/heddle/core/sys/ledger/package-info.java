/**
 * Checks the accounts of a node every ten seconds, and keeps what they show of the last minute.
 *
 * <p>Entry class: {@link io.heddle.core.sys.ledger.LedgerWatch}, which belongs to the thread that checks. A difference that lasts is a bug of the broker.
 * It is shown and logged, never corrected.
 */
@NullMarked
package io.heddle.core.sys.ledger;

import org.jspecify.annotations.NullMarked;

/**
 * The flows and differences in the accounts of all nodes.
 *
 * <p>Entry class: {@link io.heddle.core.operator.ledger.LedgerSearch}, which asks all nodes and adds up their answers. Each node checks its own in
 * {@link io.heddle.core.sys.ledger.LedgerWatch}.
 */
@NullMarked
package io.heddle.core.operator.ledger;

import org.jspecify.annotations.NullMarked;

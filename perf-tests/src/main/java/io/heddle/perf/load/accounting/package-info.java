/**
 * Accounts of sent and delivered messages, and the due time of the next message.
 *
 * <p>Enter at {@link io.heddle.perf.load.accounting.Flows}, which finds lost, duplicated and reordered messages. The rest:
 * {@link io.heddle.perf.load.accounting.Groups} (publishers and their subscribers), {@link io.heddle.perf.load.accounting.Windows} (closed
 * loop), {@link io.heddle.perf.load.accounting.Pace} (fixed rate), {@link io.heddle.perf.load.accounting.Latencies}. Floods use
 * {@link io.heddle.perf.load.accounting.Ledger}, which tolerates broken connections, and {@link io.heddle.perf.load.accounting.Phases}.
 * Owner: one thread of the generator. Invariant: a message in sequence allocates nothing; only faults do. Deliberately not here: bytes,
 * sockets, clocks (the time is handed in).
 */
@NullMarked
package io.heddle.perf.load.accounting;

import org.jspecify.annotations.NullMarked;

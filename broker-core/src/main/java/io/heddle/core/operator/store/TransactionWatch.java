package io.heddle.core.operator.store;

import io.heddle.core.FailureLog;
import io.heddle.core.StoreRejectedException;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.operator.store.HangingTransaction.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds transactions that hang, and writes the missing markers of those whose outcome is proven. One node of the cluster watches. {@link #run} is
 * called by one thread, which it may block for a minute; any thread may read the result. Bounded by the number of partitions.
 *
 * <p>A turn asks for the last stable offsets only. A partition is examined when its last stable offset stands still for a turn before the end of the
 * log. So a transaction that lasts long is examined too, and found to be legal.
 *
 * <p>Metrics: {@code heddle.transactions.hanging} and {@code heddle.transactions.repaired{outcome}}.
 */
public final class TransactionWatch {
    private static final Logger log = LoggerFactory.getLogger(TransactionWatch.class);

    private final HangingTransactions transactions;
    private final BooleanSupplier isWatching;
    private final Counter committed;
    private final Counter aborted;
    // Of the thread that runs.
    private Map<LogPartition, Long> before = Map.of();
    private final Set<HangingTransaction> reported = new HashSet<>();
    // Read by any thread.
    private volatile List<HangingTransaction> hanging = List.of();

    /** @param isWatching whether it is this node that watches */
    public TransactionWatch(HangingTransactions transactions, BooleanSupplier isWatching, MeterRegistry metrics) {
        this.transactions = transactions;
        this.isWatching = isWatching;
        this.committed = repaired("committed", metrics);
        this.aborted = repaired("aborted", metrics);
        Gauge.builder(
                        "heddle.transactions.hanging",
                        this,
                        watch -> watch.hanging().size())
                .description("Transactions of Kafka that hang and were not repaired")
                .register(metrics);
    }

    private static Counter repaired(String outcome, MeterRegistry metrics) {
        return Counter.builder("heddle.transactions.repaired")
                .description("Transactions of Kafka whose missing marker this node has written")
                .tag("outcome", outcome)
                .register(metrics);
    }

    /** Looks for hanging transactions and ends them. */
    public void run() {
        if (!isWatching.getAsBoolean()) {
            before = Map.of();
            hanging = List.of();
            return;
        }
        try {
            Map<LogPartition, Long> open = transactions.open();
            List<LogPartition> still = open.entrySet().stream()
                    .filter(each -> each.getValue().equals(before.get(each.getKey())))
                    .map(Map.Entry::getKey)
                    .toList();
            before = open;
            hanging = still.isEmpty() ? List.of() : repair(transactions.among(still));
        } catch (StoreUnavailableException failure) {
            // The stop of the node interrupts its tasks.
            if (!Thread.currentThread().isInterrupted()) {
                FailureLog.warn(log, "The search for hanging transactions failed and is repeated", failure);
            }
        }
    }

    /** Returns what could not be repaired. */
    private List<HangingTransaction> repair(List<HangingTransaction> found) {
        List<HangingTransaction> left = new ArrayList<>();
        for (HangingTransaction each : found) {
            HangingTransaction unrepaired = each.outcome() == Outcome.UNPROVEN ? report(each) : end(each);
            if (unrepaired != null) {
                left.add(unrepaired);
            }
        }
        reported.retainAll(left);
        return List.copyOf(left);
    }

    private @Nullable HangingTransaction end(HangingTransaction transaction) {
        boolean isCommitted = transaction.outcome() == Outcome.COMMITTED;
        try {
            transactions.end(transaction, isCommitted);
        } catch (StoreRejectedException rejected) {
            return report(transaction.withProblem(String.valueOf(rejected.getMessage())));
        } catch (StoreUnavailableException failure) {
            FailureLog.warn(log, "The marker of a hanging transaction was not written; the node tries again", failure);
            return transaction.withProblem("Kafka does not accept the marker at this moment, and the node tries again");
        }
        (isCommitted ? committed : aborted).increment();
        log.warn(
                "Kafka had lost the marker of a transaction; the node has written it, and readers continue: partition={},"
                        + " offset={}, outcome={}, transactionalId={}, producerId={}, producerEpoch={}",
                transaction.partition(),
                transaction.firstOffset(),
                transaction.outcome(),
                transaction.transactionalId(),
                transaction.producerId(),
                transaction.producerEpoch());
        return null;
    }

    /** Says once that a person is needed. */
    private HangingTransaction report(HangingTransaction transaction) {
        if (reported.add(transaction)) {
            log.error(
                    "Kafka has lost the marker of a transaction; nothing behind it is read until a person ends it"
                            + " (./heddle admin stores end-transaction): partition={}, offset={}, outcome={},"
                            + " transactionalId={}, producerId={}, producerEpoch={}, problem={}",
                    transaction.partition(),
                    transaction.firstOffset(),
                    transaction.outcome(),
                    transaction.transactionalId(),
                    transaction.producerId(),
                    transaction.producerEpoch(),
                    transaction.problem());
        }
        return transaction;
    }

    /** Returns the transactions that hang and could not be repaired. */
    public List<HangingTransaction> hanging() {
        return hanging;
    }

    /** Returns a clause for the operator about the first hanging transaction; empty if none hangs. */
    public String obstacle() {
        List<HangingTransaction> current = hanging;
        return current.isEmpty() ? "" : current.getFirst().clause();
    }

    /** Returns why the log of a bucket is not read, or null if no transaction hangs in it. */
    public @Nullable String blockReason(int bucket) {
        for (HangingTransaction each : hanging) {
            if (each.bucket() == bucket) {
                return each.clause();
            }
        }
        return null;
    }
}

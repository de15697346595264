package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.operator.store.HangingTransaction;
import io.heddle.core.operator.store.HangingTransaction.Outcome;
import io.heddle.core.operator.store.HangingTransactions;
import io.heddle.core.operator.store.LogPartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Transactions in memory, one in each partition of {@code heddle.buckets}. One thread. */
public final class InMemoryHangingTransactions implements HangingTransactions {
    private final Map<LogPartition, Long> open = new LinkedHashMap<>();
    private final Map<LogPartition, HangingTransaction> hanging = new LinkedHashMap<>();
    private final List<String> ended = new ArrayList<>();
    private int examined;
    private @Nullable StoreUnavailableException failure;

    /** Makes a transaction hang. */
    public LogPartition hang(Outcome outcome, String problem) {
        LogPartition partition = begin();
        hanging.put(
                partition,
                new HangingTransaction(
                        partition,
                        partition.partition(),
                        open.getOrDefault(partition, 0L),
                        40 + partition.partition(),
                        2,
                        0,
                        "heddle-1-00000001-0",
                        outcome,
                        problem));
        return partition;
    }

    /** Begins a transaction that is not ended. */
    public LogPartition begin() {
        LogPartition partition = new LogPartition("heddle.buckets", open.size());
        open.put(partition, 100L + open.size());
        return partition;
    }

    /** Moves the oldest open transaction of a partition. */
    public void advance(LogPartition partition) {
        open.merge(partition, 1L, Long::sum);
    }

    /** Lets all ends fail, or none if null. */
    public void fail(@Nullable StoreUnavailableException fault) {
        failure = fault;
    }

    /** Returns the ended transactions as {@code partition=isCommitted}. */
    public List<String> ended() {
        return ended;
    }

    /** Returns how many partitions were examined. */
    public int examined() {
        return examined;
    }

    @Override
    public Map<LogPartition, Long> open() {
        return Map.copyOf(open);
    }

    @Override
    public List<HangingTransaction> among(Collection<LogPartition> partitions) {
        examined += partitions.size();
        return hanging.values().stream()
                .filter(each -> partitions.contains(each.partition()))
                .toList();
    }

    @Override
    public void end(HangingTransaction transaction, boolean isCommitted) {
        if (failure != null) {
            throw failure;
        }
        ended.add(transaction.partition() + "=" + isCommitted);
        open.remove(transaction.partition());
        hanging.remove(transaction.partition());
    }
}

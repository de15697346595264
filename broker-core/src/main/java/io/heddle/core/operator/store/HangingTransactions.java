package io.heddle.core.operator.store;

import io.heddle.core.Port;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Finds and ends hanging transactions in the logs that are read committed. Thread-safe; blocks its callers for seconds, and for minutes while
 * Kafka is slow, so not on an event loop. All methods throw {@link io.heddle.core.StoreUnavailableException} if the servers of the logs do not
 * answer.
 */
@Port
public interface HangingTransactions {
    /** Returns the partitions with open transactions, most of which end soon, and the first offset of the oldest one in each. Cheap. */
    Map<LogPartition, Long> open();

    /** Returns the hanging transactions in these partitions, with what proves their outcomes. A transaction that may still end is none. */
    List<HangingTransaction> among(Collection<LogPartition> partitions);

    /**
     * Writes the missing marker. A transaction that has ended meanwhile, or in which the producer has written again, is not changed.
     *
     * @param isCommitted whether its records become visible; otherwise they are discarded
     * @throws io.heddle.core.StoreRejectedException if the account of this node may not write markers
     */
    void end(HangingTransaction transaction, boolean isCommitted);
}

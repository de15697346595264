package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.heddle.core.operator.store.HangingTransaction;
import io.heddle.core.operator.store.HangingTransaction.Outcome;
import io.heddle.core.operator.store.HangingTransactions;
import io.heddle.core.operator.store.LogPartition;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of {@link HangingTransactions}. */
public abstract class HangingTransactionsContract {
    protected abstract HangingTransactions transactions();

    /** Makes a transaction hang that its coordinator has ended, and returns its partition. */
    protected abstract LogPartition hanging(boolean isCommitted);

    /** Begins a transaction that its coordinator has not ended, and returns its partition. */
    protected abstract LogPartition ongoing();

    @Test
    void aTransactionWithoutItsMarkerHangsWithTheOutcomeOfItsCoordinator() {
        LogPartition committed = hanging(true);
        LogPartition aborted = hanging(false);

        assertThat(transactions().open()).containsKeys(committed, aborted);
        assertThat(transactions().among(List.of(committed, aborted)))
                .extracting(HangingTransaction::partition, HangingTransaction::outcome)
                .containsExactly(tuple(committed, Outcome.COMMITTED), tuple(aborted, Outcome.ABORTED));
    }

    @Test
    void aTransactionThatIsNotEndedIsOpenAndDoesNotHang() {
        LogPartition ongoing = ongoing();

        assertThat(transactions().open()).containsKey(ongoing);
        assertThat(transactions().among(List.of(ongoing))).isEmpty();
    }

    @Test
    void anEndedTransactionIsNotOpenAnyMore() {
        LogPartition partition = hanging(true);
        HangingTransaction found = transactions().among(List.of(partition)).getFirst();
        assertThat(transactions().open()).containsEntry(partition, found.firstOffset());

        transactions().end(found, true);

        assertThat(transactions().open()).doesNotContainKey(partition);
        assertThat(transactions().among(List.of(partition))).isEmpty();
    }
}

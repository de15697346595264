package io.heddle.core.testkit;

import io.heddle.core.operator.store.HangingTransaction.Outcome;
import io.heddle.core.operator.store.HangingTransactions;
import io.heddle.core.operator.store.LogPartition;

final class InMemoryHangingTransactionsTest extends HangingTransactionsContract {
    private final InMemoryHangingTransactions transactions = new InMemoryHangingTransactions();

    @Override
    protected HangingTransactions transactions() {
        return transactions;
    }

    @Override
    protected LogPartition hanging(boolean isCommitted) {
        return transactions.hang(isCommitted ? Outcome.COMMITTED : Outcome.ABORTED, "");
    }

    @Override
    protected LogPartition ongoing() {
        return transactions.begin();
    }
}

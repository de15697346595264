package io.heddle.core.operator.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.operator.store.HangingTransaction.Outcome;
import io.heddle.core.testkit.InMemoryHangingTransactions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

final class TransactionWatchTest {
    private final InMemoryHangingTransactions kafka = new InMemoryHangingTransactions();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private boolean isWatching = true;
    private final TransactionWatch watch = new TransactionWatch(kafka, () -> isWatching, metrics);

    @Test
    void aMissingMarkerIsWrittenAsTheCoordinatorDecided() {
        LogPartition committed = kafka.hang(Outcome.COMMITTED, "");
        LogPartition aborted = kafka.hang(Outcome.ABORTED, "");
        watch.run();
        assertThat(kafka.ended()).isEmpty();

        watch.run();

        assertThat(kafka.ended()).containsExactly(committed + "=true", aborted + "=false");
        assertThat(watch.hanging()).isEmpty();
        assertThat(watch.obstacle()).isEmpty();
        assertThat(repaired("committed")).isOne();
        assertThat(repaired("aborted")).isOne();
    }

    @Test
    void aPartitionThatMovesOnIsNotExamined() {
        LogPartition partition = kafka.begin();
        watch.run();
        kafka.advance(partition);
        watch.run();
        assertThat(kafka.examined()).isZero();

        watch.run();
        assertThat(kafka.examined()).isOne();
        assertThat(watch.hanging()).isEmpty();
    }

    @Test
    void anUnprovenTransactionIsLeftToAPersonAndShown() {
        LogPartition partition = kafka.hang(Outcome.UNPROVEN, "its outcome is not proven");
        watch.run();
        watch.run();

        assertThat(kafka.ended()).isEmpty();
        assertThat(watch.hanging()).extracting(HangingTransaction::partition).containsExactly(partition);
        assertThat(hangingGauge()).isOne();
        assertThat(watch.obstacle()).contains("heddle.buckets-0 at offset 100", "its outcome is not proven");
        assertThat(watch.blockReason(0)).isEqualTo(watch.obstacle());
        assertThat(watch.blockReason(1)).isNull();
    }

    @Test
    void withoutTheRightToWriteMarkersTheTransactionIsShown() {
        kafka.hang(Outcome.COMMITTED, "");
        kafka.fail(new StoreRejectedException("Heddle's account may not write markers", null));
        watch.run();
        watch.run();
        assertThat(watch.obstacle()).contains("may not write markers");
        assertThat(repaired("committed")).isZero();

        kafka.fail(null);
        watch.run();
        assertThat(watch.obstacle()).isEmpty();
        assertThat(repaired("committed")).isOne();
    }

    @Test
    void aMarkerThatKafkaDoesNotAcceptIsWrittenLater() {
        kafka.hang(Outcome.ABORTED, "");
        kafka.fail(StoreUnavailableException.kafka("Kafka did not answer", null));
        watch.run();
        watch.run();
        assertThat(watch.hanging()).hasSize(1);

        kafka.fail(null);
        watch.run();
        assertThat(kafka.ended()).hasSize(1);
    }

    @Test
    void onlyTheWatchingNodeLooks() {
        kafka.hang(Outcome.UNPROVEN, "its outcome is not proven");
        watch.run();
        watch.run();
        isWatching = false;
        watch.run();
        assertThat(watch.hanging()).isEmpty();

        isWatching = true;
        watch.run();
        assertThat(watch.hanging()).isEmpty();
        watch.run();
        assertThat(watch.hanging()).hasSize(1);
    }

    private double repaired(String outcome) {
        return metrics.get("heddle.transactions.repaired")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private double hangingGauge() {
        return metrics.get("heddle.transactions.hanging").gauge().value();
    }
}

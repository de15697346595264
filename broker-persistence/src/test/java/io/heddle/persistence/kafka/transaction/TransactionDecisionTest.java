package io.heddle.persistence.kafka.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.operator.store.HangingTransaction.Outcome;
import io.heddle.persistence.kafka.transaction.TransactionRecord.Status;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class TransactionDecisionTest {
    private static final TopicPartition HANGING = new TopicPartition("heddle.buckets", 3);
    private static final TopicPartition OTHER = new TopicPartition("heddle.buckets", 4);
    private static final Set<TopicPartition> BOTH = Set.of(HANGING, OTHER);
    private static final long PRODUCER = 77;
    private static final int EPOCH = 5;

    private final TransactionDecision decision = new TransactionDecision(PRODUCER, EPOCH, HANGING);

    @Test
    void theRecordThatPreparesTheEndIsTheDecision() {
        accept(EPOCH, Status.ONGOING, Set.of(OTHER));
        accept(EPOCH, Status.ONGOING, BOTH);
        assertThat(decision.isRunning()).isTrue();
        accept(EPOCH + 1, Status.PREPARE_COMMIT, BOTH);
        assertThat(decision.isRunning()).isTrue();
        assertThat(decision.outcome()).isEqualTo(Outcome.UNPROVEN);

        accept(EPOCH + 1, Status.COMPLETE_COMMIT, Set.of());

        assertThat(decision.isRunning()).isFalse();
        assertThat(decision.outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(decision.problem()).isEmpty();
        assertThat(decision.transactionalId()).isEqualTo("a");
    }

    @Test
    void laterTransactionsOfTheProducerDoNotChangeTheDecision() {
        accept(EPOCH, Status.ONGOING, BOTH);
        accept(EPOCH + 1, Status.PREPARE_COMMIT, BOTH);
        accept(EPOCH + 1, Status.COMPLETE_COMMIT, Set.of());
        accept(EPOCH + 1, Status.ONGOING, BOTH);
        accept(EPOCH + 2, Status.PREPARE_ABORT, BOTH);

        assertThat(decision.outcome()).isEqualTo(Outcome.COMMITTED);
    }

    @Test
    void aFenceThatAbortsIsADecision() {
        accept(EPOCH, Status.ONGOING, BOTH);
        accept(EPOCH + 2, Status.PREPARE_ABORT, BOTH);
        accept(EPOCH + 2, Status.COMPLETE_ABORT, Set.of());

        assertThat(decision.outcome()).isEqualTo(Outcome.ABORTED);
    }

    @Test
    void aProducerIdThatIsUsedUpIsFenced() {
        accept(EPOCH, Status.ONGOING, BOTH);
        accept(EPOCH + 1, Status.PREPARE_COMMIT, BOTH);
        decision.accept("a", new TransactionRecord(PRODUCER + 1, 0, Status.COMPLETE_COMMIT, Set.of()));

        assertThat(decision.outcome()).isEqualTo(Outcome.COMMITTED);
    }

    @Test
    void ofTransactionsWithOneEpochTheLatestCounts() {
        accept(EPOCH, Status.ONGOING, BOTH);
        accept(EPOCH, Status.PREPARE_ABORT, BOTH);
        accept(EPOCH, Status.COMPLETE_ABORT, Set.of());
        accept(EPOCH, Status.ONGOING, BOTH);
        accept(EPOCH, Status.PREPARE_COMMIT, BOTH);
        accept(EPOCH, Status.COMPLETE_COMMIT, Set.of());
        assertThat(decision.outcome()).isEqualTo(Outcome.UNPROVEN);
        assertThat(decision.problem()).contains("may write with the same epoch again");

        accept(EPOCH + 1, Status.EMPTY, Set.of());
        assertThat(decision.outcome()).isEqualTo(Outcome.COMMITTED);
    }

    @Test
    void aDecisionWithoutThePartitionProvesNothing() {
        accept(EPOCH, Status.ONGOING, Set.of(OTHER));
        accept(EPOCH + 1, Status.PREPARE_COMMIT, Set.of(OTHER));
        accept(EPOCH + 1, Status.COMPLETE_COMMIT, Set.of());

        assertThat(decision.outcome()).isEqualTo(Outcome.UNPROVEN);
        assertThat(decision.problem()).contains("has no record of it");
    }

    @Test
    void recordsOfOtherIdsAndACompactedDecisionProveNothing() {
        accept(EPOCH, Status.ONGOING, BOTH);
        decision.accept("b", new TransactionRecord(PRODUCER, EPOCH + 1, Status.PREPARE_COMMIT, BOTH));
        accept(EPOCH + 1, Status.COMPLETE_COMMIT, Set.of());

        assertThat(decision.outcome()).isEqualTo(Outcome.UNPROVEN);
        assertThat(decision.problem()).contains("does not have its decision");
    }

    private void accept(int epoch, Status status, Set<TopicPartition> partitions) {
        decision.accept("a", new TransactionRecord(PRODUCER, epoch, status, partitions));
    }
}

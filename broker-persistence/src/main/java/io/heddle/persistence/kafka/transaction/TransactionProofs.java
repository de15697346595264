package io.heddle.persistence.kafka.transaction;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.operator.store.HangingTransaction.Outcome;
import io.heddle.core.operator.store.LogPartition;
import io.heddle.persistence.kafka.read.LogConsumers;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of suspect transactions, read from {@code __transaction_state}. Thread-safe; blocks.
 *
 * <p>A proof holds as long as its transaction hangs. Without one the log is read again after ever longer pauses, because the part that may have the
 * proof grows with the time since the transaction. Bound: one proof for each suspect.
 */
final class TransactionProofs {
    private static final long RETRY_MILLIS = 60_000;

    private final Supplier<LogConsumers> consumers;
    private final InstantSource clock;
    private final Map<Suspect, Proof> proofs = new ConcurrentHashMap<>();

    TransactionProofs(Supplier<LogConsumers> consumers, InstantSource clock) {
        this.consumers = consumers;
        this.clock = clock;
    }

    /**
     * The outcome of one suspect transaction.
     *
     * @param unread why the log could not be read; empty if it was read
     * @param firstMillis when it was first read for this suspect
     * @param lastMillis when it was last read
     */
    record Proof(TransactionDecision decision, String unread, long firstMillis, long lastMillis) {
        /** Returns whether the coordinator has not finished the transaction, so that the marker may still come. */
        boolean isRunning() {
            return unread.isEmpty() && decision.isRunning();
        }

        private boolean isDue(long millis) {
            return isRunning()
                    || (decision.outcome() == Outcome.UNPROVEN
                            && millis - lastMillis >= RETRY_MILLIS + lastMillis - firstMillis);
        }

        /** Returns one clause that says why the outcome is not proven; empty if it is. */
        String problem() {
            return unread.isEmpty() || decision.outcome() != Outcome.UNPROVEN ? decision.problem() : unread;
        }
    }

    /** Returns null for a suspect that was not decided. */
    @Nullable
    Proof of(Suspect suspect) {
        return proofs.get(suspect);
    }

    /** Reads the log once for all suspects of these partitions that need it, and forgets other suspects of the partitions. */
    void decide(Collection<LogPartition> partitions, Collection<Suspect> suspects) {
        proofs.keySet().removeIf(each -> partitions.contains(each.partition()) && !suspects.contains(each));
        long now = clock.millis();
        List<Suspect> due = suspects.stream().filter(each -> isDue(each, now)).toList();
        if (due.isEmpty()) {
            return;
        }
        Map<Suspect, TransactionDecision> decisions = new HashMap<>();
        due.forEach(each -> decisions.put(each, decision(each)));
        String unread = read(due.stream().mapToLong(Suspect::millis).min().orElseThrow(), decisions.values());
        decisions.forEach((suspect, decision) -> proofs.compute(
                suspect,
                (_, earlier) -> new Proof(decision, unread, earlier == null ? now : earlier.firstMillis(), now)));
    }

    private boolean isDue(Suspect suspect, long millis) {
        Proof proof = proofs.get(suspect);
        return proof == null || proof.isDue(millis);
    }

    private static TransactionDecision decision(Suspect suspect) {
        LogPartition partition = suspect.partition();
        return new TransactionDecision(
                suspect.producerId(),
                suspect.producerEpoch(),
                new TopicPartition(partition.topic(), partition.partition()));
    }

    /** Returns why the log of the coordinators cannot be read; empty if it was read. */
    private String read(long since, Collection<TransactionDecision> decisions) {
        try {
            boolean isRead = new TransactionStateReader(consumers.get()).read(since, decisions);
            return isRead ? "" : "__transaction_state cannot be read in time, so its outcome is not proven";
        } catch (AuthorizationException e) {
            return "Heddle's account may not read __transaction_state, so its outcome is not proven";
        } catch (IllegalArgumentException e) {
            return e.getMessage() + ", so its outcome is not proven";
        } catch (KafkaException e) {
            throw StoreUnavailableException.kafka("Kafka did not deliver __transaction_state", e);
        }
    }
}

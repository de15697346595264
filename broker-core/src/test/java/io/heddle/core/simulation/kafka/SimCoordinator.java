package io.heddle.core.simulation.kafka;

import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.simulation.World;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The transaction coordinator. It answers the end of a transaction before the markers are written, and aborts transactions that take too
 * long. A new instance with a transactional id takes the next epoch without being told that another one was fenced. All calls happen at the
 * coordinator: the caller adds the delays of the network.
 */
final class SimCoordinator {
    /** The transaction timeout of the product's producers. */
    static final long TIMEOUT_MILLIS = 10_000;

    private final World world;
    private final Map<String, Transaction> transactions = new TreeMap<>();
    private boolean away;

    /** The coordinator's answer. */
    enum Answer {
        OK,
        /** The producer has an old epoch. */
        FENCED,
        /** The previous transaction's markers are not written yet; the client asks again. */
        CONCURRENT_TRANSACTIONS,
        /** The transaction was aborted. */
        INVALID_STATE,
        /** The client asks again. */
        NOT_COORDINATOR
    }

    private enum Status {
        EMPTY,
        ONGOING,
        ENDING
    }

    /** The state of one transactional id. */
    private static final class Transaction {
        private int epoch = -1;
        private int endedEpoch = -1;
        private Status status = Status.EMPTY;
        private boolean lastCommitted;
        private long beganMillis;
        private final Map<SimPartition, SimPartition.Part> parts = new LinkedHashMap<>();
        private int unwritten;
        private boolean isFenced;
    }

    /** @param epoch of the new instance if the answer is OK */
    record Initialised(Answer answer, int epoch) {}

    SimCoordinator(World world) {
        this.world = world;
    }

    boolean isAway() {
        return away;
    }

    void away(boolean isAway) {
        away = isAway;
    }

    /** Takes the next epoch for a new instance, after an open transaction was aborted. */
    Initialised initialise(String id) {
        if (away) {
            return new Initialised(Answer.NOT_COORDINATOR, -1);
        }
        Transaction transaction = transactions.computeIfAbsent(id, _ -> new Transaction());
        if (transaction.status == Status.ONGOING) {
            transaction.epoch++;
            end(transaction, false);
        }
        if (transaction.status == Status.ENDING) {
            return new Initialised(Answer.CONCURRENT_TRANSACTIONS, -1);
        }
        transaction.epoch++;
        transaction.isFenced = false;
        return new Initialised(Answer.OK, transaction.epoch);
    }

    /** Fences the present instance of an id, as an administrator does. Returns whether nothing of it is open any more. */
    boolean fence(String id) {
        boolean isFenced = initialise(id).answer() == Answer.OK;
        Transaction transaction = transactions.get(id);
        if (isFenced && transaction != null) {
            transaction.isFenced = true;
        }
        return isFenced;
    }

    /** The ids that were initialised after they were fenced last; null while the coordinator is away. */
    @Nullable
    Set<TransactionalId> unfenced() {
        return away
                ? null
                : transactions.entrySet().stream()
                        .filter(each -> !each.getValue().isFenced && TransactionalId.isName(each.getKey()))
                        .map(each -> TransactionalId.parse(each.getKey()))
                        .collect(Collectors.toSet());
    }

    Answer addPartitions(String id, int epoch, List<SimPartition> partitions) {
        Transaction transaction = transactions.get(id);
        Answer refusal = refusal(transaction, epoch);
        if (refusal != null || transaction == null) {
            return refusal == null ? Answer.FENCED : refusal;
        }
        if (transaction.status == Status.ENDING) {
            return Answer.CONCURRENT_TRANSACTIONS;
        }
        if (transaction.status == Status.EMPTY) {
            transaction.status = Status.ONGOING;
            transaction.beganMillis = world.millis();
            long timedOut = transaction.beganMillis;
            world.after(world.environment(), TIMEOUT_MILLIS * 1_000, () -> timeOut(id, transaction, epoch, timedOut));
        }
        for (SimPartition partition : partitions) {
            transaction.parts.computeIfAbsent(partition, _ -> new SimPartition.Part());
        }
        return Answer.OK;
    }

    private void timeOut(String id, Transaction transaction, int epoch, long beganMillis) {
        if (transaction.status == Status.ONGOING
                && transaction.epoch == epoch
                && transaction.beganMillis == beganMillis) {
            world.trace(() -> "kafka: the coordinator aborts the transaction of " + id);
            transaction.epoch++;
            end(transaction, false);
        }
    }

    /** The open transaction's part of a partition: a leader asks before it appends. Null when the producer may not write. */
    SimPartition.@Nullable Part verify(String id, int epoch, SimPartition partition) {
        Transaction transaction = transactions.get(id);
        return transaction == null || transaction.epoch != epoch || transaction.status != Status.ONGOING
                ? null
                : transaction.parts.get(partition);
    }

    /** Ends the transaction. OK means that the outcome is decided; the markers follow, and the producer has the next epoch. */
    Answer end(String id, int epoch, boolean commit) {
        Transaction transaction = transactions.get(id);
        if (away) {
            return Answer.NOT_COORDINATOR;
        }
        if (transaction != null && transaction.epoch == epoch + 1 && transaction.endedEpoch == epoch) {
            // Asked again, because the first answer was lost.
            return transaction.lastCommitted == commit ? Answer.OK : Answer.INVALID_STATE;
        }
        if (transaction == null || transaction.epoch != epoch) {
            return Answer.FENCED;
        }
        if (transaction.status == Status.ONGOING) {
            end(transaction, commit);
        }
        transaction.endedEpoch = epoch;
        transaction.epoch++;
        return Answer.OK;
    }

    private @Nullable Answer refusal(@Nullable Transaction transaction, int epoch) {
        if (away) {
            return Answer.NOT_COORDINATOR;
        }
        return transaction == null || transaction.epoch != epoch ? Answer.FENCED : null;
    }

    private void end(Transaction transaction, boolean commit) {
        transaction.status = Status.ENDING;
        transaction.lastCommitted = commit;
        transaction.unwritten = 1;
        transaction.parts.forEach((partition, part) -> {
            transaction.unwritten++;
            if (commit) {
                part.commit();
            }
            world.after(
                    world.environment(),
                    world.random().nextInt(100, world.oneIn(20) ? 60_000 : 15_000),
                    () -> partition.whenLed(world.environment(), () -> {
                        partition.end(part, commit);
                        written(transaction);
                    }));
        });
        written(transaction);
    }

    private static void written(Transaction transaction) {
        transaction.unwritten--;
        if (transaction.unwritten == 0) {
            transaction.parts.clear();
            transaction.status = Status.EMPTY;
        }
    }
}

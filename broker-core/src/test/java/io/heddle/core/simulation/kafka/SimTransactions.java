package io.heddle.core.simulation.kafka;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One lane of group commits, like the product's Transactions: all commits that wait go into the next transaction, several transactional ids
 * take turns, and one transaction is open at a time. After a failed transaction its repeatable commits are written again; the others fail,
 * and so do those behind them with the same order fence.
 */
final class SimTransactions {
    private static final long RETRY_MICROS = 200_000;
    private static final int MAXIMUM_COMMITS = 20;

    private final World world;
    private final SimProcess process;
    private final List<SimTransactionalProducer> producers = new ArrayList<>();
    private final ArrayDeque<Commit> queue = new ArrayDeque<>();
    private boolean busy;
    private int next;
    private @Nullable Runnable beforeAnswer;

    /** A record of a commit. When the commit is durable, {@code written} receives the offset of the record. */
    record Write(
            SimPartition partition,
            @Nullable Object key,
            @Nullable Object value,
            LongConsumer written) {}

    /**
     * @param isRepeatable whether the records may be stored twice
     * @param done receives null when the commit is durable, else the reason
     */
    record Commit(List<Write> writes, OrderFence order, boolean isRepeatable, Consumer<@Nullable Throwable> done) {}

    /** @param ids the numbers of the transactional ids of this lane */
    SimTransactions(
            World world, SimProcess process, SimKafka kafka, SimLife life, Incarnation incarnation, List<Integer> ids) {
        this.world = world;
        this.process = process;
        for (int id : ids) {
            producers.add(new SimTransactionalProducer(
                    world, process, kafka, life, new TransactionalId(incarnation, id).name()));
        }
    }

    /** Initialises all producers. Returns a condition for the end of that. */
    BooleanSupplier start() {
        int[] ready = {0};
        producers.forEach(producer -> producer.prepare(() -> ready[0]++));
        return () -> ready[0] == producers.size();
    }

    void commit(Commit commit) {
        if (commit.order.isBroken()) {
            commit.done.accept(new IllegalStateException("the order is broken"));
            return;
        }
        queue.add(commit);
        write();
    }

    /** Runs a task when the next commit is durable, instead of telling its callers. Null: no task. */
    void beforeNextAnswer(@Nullable Runnable task) {
        beforeAnswer = task;
    }

    private void write() {
        if (busy || queue.isEmpty()) {
            return;
        }
        busy = true;
        SimTransactionalProducer producer = producers.get(next);
        next = (next + 1) % producers.size();
        List<Commit> batch = new ArrayList<>();
        while (!queue.isEmpty() && batch.size() < MAXIMUM_COMMITS) {
            batch.add(queue.remove());
        }
        attempt(producer, batch);
    }

    private void attempt(SimTransactionalProducer producer, List<Commit> batch) {
        List<Write> writes =
                batch.stream().flatMap(commit -> commit.writes.stream()).toList();
        producer.prepare(() -> producer.write(writes, fault -> written(producer, batch, fault)));
    }

    private void written(SimTransactionalProducer producer, List<Commit> batch, @Nullable Throwable fault) {
        Runnable before = beforeAnswer;
        if (fault == null && before != null) {
            beforeAnswer = null;
            before.run();
            return;
        }
        if (fault == null) {
            batch.forEach(commit -> commit.done.accept(null));
            busy = false;
            write();
            return;
        }
        world.trace(() -> "kafka: a transaction of " + batch.size() + " commits failed: " + fault.getMessage());
        List<Commit> again = batch.stream().filter(Commit::isRepeatable).toList();
        List<Commit> failed =
                batch.stream().filter(commit -> !commit.isRepeatable()).toList();
        List<Commit> behind = new ArrayList<>();
        failed.forEach(commit -> commit.order.breakOff());
        queue.removeIf(commit -> commit.order.isBroken() && behind.add(commit));
        failed.forEach(commit -> commit.done.accept(fault));
        behind.forEach(commit -> commit.done.accept(new IllegalStateException("the order is broken")));
        if (again.isEmpty()) {
            busy = false;
            write();
        } else {
            world.after(process, RETRY_MICROS, () -> attempt(producer, again));
        }
    }
}

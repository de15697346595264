package io.heddle.core.simulation.kafka;

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
 * Group commit, like the product's Transactions: all commits that wait go into the next transaction, several transactional ids take turns,
 * one transaction is open at a time, and a failed transaction fails its commits and those behind them with the same order fence.
 */
final class SimTransactions {
    private static final int TURNS = 3;
    private static final int MAXIMUM_COMMITS = 20;

    private final World world;
    private final List<SimTransactionalProducer> producers = new ArrayList<>();
    private final ArrayDeque<Commit> queue = new ArrayDeque<>();
    private boolean busy;
    private int next;

    /** A record of a commit. */
    record Write(
            SimPartition partition,
            @Nullable Object key,
            @Nullable Object value,
            LongConsumer written) {}

    /** @param done receives null when the commit is durable, else the reason */
    record Commit(List<Write> writes, OrderFence order, Consumer<@Nullable Throwable> done) {}

    /** @param idPrefix of the transactional ids */
    SimTransactions(World world, SimProcess process, SimKafka kafka, String idPrefix) {
        this.world = world;
        for (int i = 0; i < TURNS; i++) {
            producers.add(new SimTransactionalProducer(world, process, kafka, idPrefix + "-" + i));
        }
    }

    /** Initialises all producers, which aborts what an earlier process left open. Returns a condition for the end of that. */
    BooleanSupplier start() {
        int[] ready = {0};
        producers.forEach(producer -> producer.prepare(() -> ready[0]++));
        return () -> ready[0] == TURNS;
    }

    void commit(Commit commit) {
        if (commit.order.isBroken()) {
            commit.done.accept(new IllegalStateException("the order is broken"));
            return;
        }
        queue.add(commit);
        write();
    }

    private void write() {
        if (busy || queue.isEmpty()) {
            return;
        }
        busy = true;
        SimTransactionalProducer producer = producers.get(next);
        next = (next + 1) % TURNS;
        producer.prepare(() -> {
            List<Commit> batch = new ArrayList<>();
            while (!queue.isEmpty() && batch.size() < MAXIMUM_COMMITS) {
                batch.add(queue.remove());
            }
            List<Write> writes =
                    batch.stream().flatMap(commit -> commit.writes.stream()).toList();
            producer.write(writes, fault -> written(batch, fault));
        });
    }

    private void written(List<Commit> batch, @Nullable Throwable fault) {
        List<Commit> failed = new ArrayList<>();
        if (fault != null) {
            world.trace(() -> "kafka: a transaction of " + batch.size() + " commits failed: " + fault.getMessage());
            batch.forEach(commit -> commit.order.breakOff());
            queue.removeIf(commit -> commit.order.isBroken() && failed.add(commit));
        }
        batch.forEach(commit -> commit.done.accept(fault));
        failed.forEach(commit -> commit.done.accept(new IllegalStateException("the order is broken")));
        busy = false;
        write();
    }
}

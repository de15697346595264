package io.heddle.persistence.kafka.append;

import io.heddle.persistence.kafka.Deadline;
import io.heddle.persistence.kafka.KafkaFaults;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: whatever waits when a transaction ends goes together into the next one, in its order. A transaction that fails is
 * aborted and all in it fail, unless it was the fault of one of its records: then each goes alone. What fails takes with it what
 * waits behind it in the same {@link io.heddle.core.delivery.log.OrderFence}. While Kafka is away, what came later waits.
 *
 * <p>Any thread may {@link #commit}, which never waits. The thread {@code heddle-transactions} owns the {@link
 * TransactionalProducer}s, which take turns. Bounded by {@link PendingAppends} and by the number of commits that wait.
 */
final class Transactions implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Transactions.class);
    private static final int MAXIMUM_WAITING = 100_000;
    private static final int MAXIMUM_COMMITS = 5_000;
    private static final long MAXIMUM_BYTES = 4 << 20;
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(6);

    private final List<TransactionalProducer> producers;
    private final PendingAppends.Share pending;
    private final AppendMetrics metrics;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("heddle-transactions").unstarted(this::run);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final ArrayDeque<Commit> waiting = new ArrayDeque<>();
    private boolean closed;

    // Of the transactions' thread.
    private int turn;

    /** @param producers take turns */
    Transactions(List<TransactionalProducer> producers, PendingAppends pending, AppendMetrics metrics) {
        this.producers = producers;
        this.pending = pending.messages();
        this.metrics = metrics;
    }

    /** Ends what an earlier process of this node left open, which takes as long as Kafka needs for it, and begins. */
    void start(Deadline deadline, KafkaFaults faults) {
        producers.forEach(producer -> prepare(producer, deadline, faults));
        thread.start();
    }

    private static void prepare(TransactionalProducer producer, Deadline deadline, KafkaFaults faults) {
        while (true) {
            try {
                producer.prepare();
                return;
            } catch (TimeoutException e) {
                if (deadline.isOver()) {
                    throw faults.transactions(e);
                }
            } catch (KafkaException e) {
                throw faults.transactions(e);
            }
        }
    }

    /** Commits, soon. Refused at once when too much waits. */
    void commit(Commit commit) {
        RuntimeException refusal;
        lock.lock();
        try {
            if (closed) {
                refusal = new LogClosedException();
            } else if (commit.order().isBroken()) {
                refusal = new BrokenOrderException();
            } else if (waiting.size() == MAXIMUM_WAITING || !pending.take(commit.bytes())) {
                refusal = new AppendLimitException();
                commit.order().breakOff();
            } else {
                waiting.addLast(commit);
                changed.signal();
                return;
            }
        } finally {
            lock.unlock();
        }
        refuse(commit, refusal);
    }

    private void run() {
        try {
            List<Commit> batch = gather();
            while (!batch.isEmpty()) {
                write(batch);
                batch = gather();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts " + thread.getName(), e);
        } finally {
            producers.forEach(TransactionalProducer::close);
            fail(left(), new LogClosedException());
        }
    }

    /** All that waits, as far as it goes into one transaction. None when the node stops. */
    private List<Commit> gather() throws InterruptedException {
        List<Commit> batch = new ArrayList<>();
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                changed.await();
            }
            long bytes = 0;
            Commit next = closed ? null : waiting.peekFirst();
            while (next != null
                    && (batch.isEmpty() || (batch.size() < MAXIMUM_COMMITS && bytes + next.bytes() <= MAXIMUM_BYTES))) {
                batch.add(waiting.removeFirst());
                bytes += next.bytes();
                next = waiting.peekFirst();
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void write(List<Commit> batch) throws InterruptedException {
        TransactionalProducer producer = producers.get(turn);
        turn = (turn + 1) % producers.size();
        if (!prepared(producer)) {
            fail(batch, new LogClosedException());
            return;
        }
        long start = System.nanoTime();
        try {
            producer.write(batch, this::isClosed);
        } catch (KafkaException e) {
            metrics.transaction(false, batch.size(), System.nanoTime() - start);
            failed(batch, e.getCause() == null ? e : e.getCause());
            return;
        }
        metrics.transaction(true, batch.size(), System.nanoTime() - start);
        for (Commit commit : batch) {
            pending.release(commit.bytes());
            commit.committed();
        }
    }

    private void failed(List<Commit> batch, Throwable fault) throws InterruptedException {
        if (batch.size() == 1 || !isOfOneRecord(fault)) {
            List<Commit> behind = breakOrders(batch);
            fail(batch, fault);
            fail(behind, new BrokenOrderException());
            return;
        }
        for (Commit commit : batch) {
            if (commit.order().isBroken()) {
                fail(List.of(commit), new BrokenOrderException());
            } else {
                write(List.of(commit));
            }
        }
    }

    /** From here on nothing is taken in the orders of these; returns what was taken and waits. */
    private List<Commit> breakOrders(List<Commit> failed) {
        List<Commit> behind = new ArrayList<>();
        lock.lock();
        try {
            failed.forEach(commit -> commit.order().breakOff());
            waiting.removeIf(commit -> commit.order().isBroken() && behind.add(commit));
        } finally {
            lock.unlock();
        }
        return behind;
    }

    private static boolean isOfOneRecord(Throwable fault) {
        return fault instanceof RecordTooLargeException
                || fault instanceof RecordBatchTooLargeException
                || fault instanceof InvalidConfigurationException
                || fault instanceof TopicAuthorizationException;
    }

    /** Waits until transactions are possible. False when the node stops first. */
    private boolean prepared(TransactionalProducer producer) throws InterruptedException {
        while (!isClosed()) {
            try {
                producer.prepare();
                return true;
            } catch (KafkaException e) {
                log.warn(
                        "Kafka does not begin transactions ({}): QoS 2 messages for persistent sessions wait for their PUBREC",
                        e.getMessage());
            }
            pause();
        }
        return false;
    }

    private void pause() throws InterruptedException {
        lock.lock();
        try {
            long left = PAUSE.toNanos();
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void fail(List<Commit> commits, Throwable reason) {
        for (Commit commit : commits) {
            pending.release(commit.bytes());
            refuse(commit, reason);
        }
    }

    private void refuse(Commit commit, Throwable reason) {
        metrics.failed(commit.topic(), reason);
        commit.failed(reason);
    }

    private List<Commit> left() {
        lock.lock();
        try {
            closed = true;
            List<Commit> left = List.copyOf(waiting);
            waiting.clear();
            return left;
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the transaction under way end, for some seconds. What waits fails. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        try {
            if (thread.isAlive() && !thread.join(CLOSE_PATIENCE)) {
                log.warn("A transaction did not end within {} s: Kafka aborts it", CLOSE_PATIENCE.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

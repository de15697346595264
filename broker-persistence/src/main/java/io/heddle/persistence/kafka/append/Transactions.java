package io.heddle.persistence.kafka.append;

import io.heddle.core.cluster.NodeOverException;
import io.heddle.core.lifecycle.StartupException;
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
 * Group commit: all commits that are queued when a transaction ends go into the next one, in their order. A failed transaction is
 * aborted and all its commits fail, except when a single record caused the failure: then each commit is retried alone. A failed commit
 * also fails the commits queued behind it with the same {@link io.heddle.core.delivery.log.OrderFence}. While Kafka is unavailable,
 * commits stay queued.
 *
 * <p>Any thread may {@link #commit}, which never blocks. The thread {@code heddle-transactions} owns the {@link
 * TransactionalProducer}s, which take turns. Bounded by {@link PendingAppends} and by the number of queued commits.
 */
final class Transactions implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Transactions.class);
    private static final int MAXIMUM_QUEUED = 100_000;
    private static final int MAXIMUM_COMMITS = 5_000;
    private static final long MAXIMUM_BYTES = 4 << 20;
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(200);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(6);

    private final List<TransactionalProducer> producers;
    private final PendingAppends.Share pending;
    private final AppendMetrics metrics;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("heddle-transactions").unstarted(this::run);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final ArrayDeque<Commit> queue = new ArrayDeque<>();
    private boolean closed;

    // Owned by heddle-transactions.
    private int nextProducer;

    Transactions(List<TransactionalProducer> producers, PendingAppends pending, AppendMetrics metrics) {
        this.producers = producers;
        this.pending = pending.messages();
        this.metrics = metrics;
    }

    /** Initialises the producers, which blocks until Kafka has done so, and starts. */
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
            } catch (NodeOverException e) {
                throw new StartupException(String.valueOf(e.getMessage()), e);
            } catch (KafkaException e) {
                throw faults.transactions(e);
            }
        }
    }

    /** Queues a commit, or rejects it at once when the limits are exceeded. */
    void commit(Commit commit) {
        RuntimeException rejection;
        lock.lock();
        try {
            if (closed) {
                rejection = new LogClosedException();
            } else if (commit.order().isBroken()) {
                rejection = new BrokenOrderException();
            } else if (queue.size() == MAXIMUM_QUEUED || !pending.take(commit.bytes())) {
                rejection = new AppendLimitException();
                commit.order().breakOff();
            } else {
                queue.addLast(commit);
                changed.signal();
                return;
            }
        } finally {
            lock.unlock();
        }
        reject(commit, rejection);
    }

    private void run() {
        try {
            List<Commit> batch = gather();
            while (!batch.isEmpty()) {
                write(batch);
                batch = gather();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(thread.getName() + " was interrupted, which no part of Heddle does", e);
        } finally {
            producers.forEach(TransactionalProducer::close);
            fail(drainQueue(), new LogClosedException());
        }
    }

    /** Waits for commits and takes as many as fit in one transaction. Returns none when the node stops. */
    private List<Commit> gather() throws InterruptedException {
        List<Commit> batch = new ArrayList<>();
        lock.lock();
        try {
            while (queue.isEmpty() && !closed) {
                changed.await();
            }
            long bytes = 0;
            Commit next = closed ? null : queue.peekFirst();
            while (next != null
                    && (batch.isEmpty() || (batch.size() < MAXIMUM_COMMITS && bytes + next.bytes() <= MAXIMUM_BYTES))) {
                batch.add(queue.removeFirst());
                bytes += next.bytes();
                next = queue.peekFirst();
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void write(List<Commit> batch) throws InterruptedException {
        TransactionalProducer producer = producers.get(nextProducer);
        nextProducer = (nextProducer + 1) % producers.size();
        if (!awaitReady(producer)) {
            fail(batch, new LogClosedException());
            return;
        }
        long startNanos = System.nanoTime();
        try {
            producer.write(batch, this::isClosed);
        } catch (KafkaException e) {
            metrics.transaction(false, batch.size(), System.nanoTime() - startNanos);
            onFailed(batch, e.getCause() == null ? e : e.getCause());
            return;
        }
        metrics.transaction(true, batch.size(), System.nanoTime() - startNanos);
        for (Commit commit : batch) {
            pending.release(commit.bytes());
            commit.complete();
        }
    }

    private void onFailed(List<Commit> batch, Throwable fault) throws InterruptedException {
        if (batch.size() == 1 || !isCausedByOneRecord(fault)) {
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

    /** Breaks the orders of these commits, so that no later commit is accepted in them. Returns the queued commits of these orders. */
    private List<Commit> breakOrders(List<Commit> failed) {
        List<Commit> behind = new ArrayList<>();
        lock.lock();
        try {
            failed.forEach(commit -> commit.order().breakOff());
            queue.removeIf(commit -> commit.order().isBroken() && behind.add(commit));
        } finally {
            lock.unlock();
        }
        return behind;
    }

    private static boolean isCausedByOneRecord(Throwable fault) {
        return fault instanceof RecordTooLargeException
                || fault instanceof RecordBatchTooLargeException
                || fault instanceof InvalidConfigurationException
                || fault instanceof TopicAuthorizationException;
    }

    /** Waits until Kafka starts transactions. Returns false when the node stops first, or is over. */
    private boolean awaitReady(TransactionalProducer producer) throws InterruptedException {
        while (!isClosed()) {
            try {
                producer.prepare();
                return true;
            } catch (NodeOverException e) {
                log.debug("This node commits nothing more", e);
                return false;
            } catch (KafkaException e) {
                log.warn(
                        "Kafka does not start transactions; PUBREC is delayed for publishers with persistent sessions:"
                                + " {}",
                        e.getMessage());
            }
            pause();
        }
        return false;
    }

    private void pause() throws InterruptedException {
        lock.lock();
        try {
            long left = RETRY_INTERVAL.toNanos();
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
            reject(commit, reason);
        }
    }

    private void reject(Commit commit, Throwable reason) {
        metrics.failed(commit.topic(), reason);
        commit.fail(reason);
    }

    private List<Commit> drainQueue() {
        lock.lock();
        try {
            closed = true;
            List<Commit> left = List.copyOf(queue);
            queue.clear();
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

    /** Waits some seconds for the transaction in progress and fails the queued commits. */
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
            if (thread.isAlive() && !thread.join(CLOSE_TIMEOUT)) {
                log.warn(
                        "The last transaction did not finish within {} s; Kafka will abort it",
                        CLOSE_TIMEOUT.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

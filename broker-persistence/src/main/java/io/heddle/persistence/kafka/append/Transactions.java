package io.heddle.persistence.kafka.append;

import io.heddle.core.FailureLog;
import io.heddle.core.OwnerThread;
import io.heddle.core.cluster.NodeOverException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.kafka.Deadline;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.StartDeadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane of commits. Group commit: all commits that are queued when a transaction ends go into the next one, in their order. While Kafka is
 * unavailable, commits stay queued.
 *
 * <p>A failed transaction is aborted, and its repeatable commits are retried by the same producer: before it starts the next transaction,
 * Kafka has decided the failed one. The other commits fail, because the outcome may be unknown. If a single record caused the failure, each
 * commit is retried alone, and only its own fails. A failed commit also fails the commits queued behind it with the same {@link
 * io.heddle.core.delivery.log.OrderFence}.
 *
 * <p>Any thread may {@link #commit}, which never blocks. The thread of the {@link CommitLane} owns the {@link TransactionalProducer}s, which
 * take turns. Bounded by {@link PendingAppends} and by the number of queued commits.
 */
final class Transactions implements UnknownTopics.Lane {
    private static final Logger log = LoggerFactory.getLogger(Transactions.class);
    private static final int MAXIMUM_QUEUED = 100_000;
    private static final int MAXIMUM_COMMITS = 5_000;
    private static final long MAXIMUM_BYTES = 4 << 20;
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(200);

    private final CommitLane lane;
    private final List<TransactionalProducer> producers;
    private final PendingAppends.Share pending;
    private final AppendMetrics metrics;
    private final AppendMetrics.TransactionMetrics transactionMetrics;
    private final UnknownTopics unknownTopics;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final ArrayDeque<Commit> queue = new ArrayDeque<>();
    private boolean closed;

    private final OwnerThread owner = new OwnerThread();
    // Owned by the thread.
    private int nextProducer;

    /** @param pending the share of pending appends that the commits count for */
    Transactions(
            CommitLane lane,
            List<TransactionalProducer> producers,
            PendingAppends.Share pending,
            AppendMetrics metrics) {
        this.lane = lane;
        this.producers = producers;
        this.pending = pending;
        this.metrics = metrics;
        this.transactionMetrics = metrics.transactions(lane);
        this.unknownTopics = new UnknownTopics(
                this,
                request -> Thread.ofVirtual().name("heddle-topic-metadata").start(request),
                System::nanoTime);
        this.thread = Thread.ofPlatform().daemon().name(lane.threadName()).unstarted(this::run);
    }

    /** Initialises the producers, which blocks until Kafka has done so, and starts. */
    void start(StartDeadline deadline, KafkaFaults faults) {
        for (TransactionalProducer producer : producers) {
            prepare(producer, deadline, faults);
            deadline.onProgress("a transactional producer");
            producer.handOver();
        }
        thread.start();
    }

    private static void prepare(TransactionalProducer producer, StartDeadline deadline, KafkaFaults faults) {
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
            } else if (queue.size() >= MAXIMUM_QUEUED || !pending.take(commit.bytes())) {
                rejection = new AppendLimitException();
                commit.order().breakOff();
            } else {
                rejection = null;
            }
        } finally {
            lock.unlock();
        }
        if (rejection != null) {
            reject(commit, rejection);
        } else if (!unknownTopics.holds(commit)) {
            rejection = enqueue(commit);
            if (rejection != null) {
                fail(commit, rejection);
            }
        }
    }

    @Override
    public @Nullable RuntimeException enqueue(Commit commit) {
        lock.lock();
        try {
            if (closed) {
                return new LogClosedException();
            }
            if (commit.order().isBroken()) {
                return new BrokenOrderException();
            }
            queue.addLast(commit);
            changed.signal();
            return null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean requestMetadata(String topic) {
        for (TransactionalProducer producer : producers) {
            if (!producer.knows(topic)) {
                return false;
            }
        }
        return true;
    }

    private void run() {
        try {
            List<Commit> batch = gather();
            while (!batch.isEmpty() && write(batch)) {
                batch = gather();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(thread.getName() + " was interrupted, which no part of Heddle does", e);
        } finally {
            producers.forEach(TransactionalProducer::close);
            fail(drainQueue(), new LogClosedException());
        }
    }

    /** Waits for commits and takes as many as fit in one transaction. Returns none when the node stops and all are written. */
    private List<Commit> gather() throws InterruptedException {
        owner.assertCurrent();
        List<Commit> batch = new ArrayList<>();
        lock.lock();
        try {
            while (queue.isEmpty() && !closed) {
                changed.await();
            }
            long bytes = 0;
            Commit next = queue.peekFirst();
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

    /** Writes these commits. Returns false when Kafka does not accept them and the node stops. */
    private boolean write(List<Commit> batch) throws InterruptedException {
        owner.assertCurrent();
        TransactionalProducer producer = producers.get(nextProducer);
        nextProducer = (nextProducer + 1) % producers.size();
        List<Commit> left = batch;
        while (!left.isEmpty()) {
            if (!awaitReady(producer)) {
                fail(left, new LogClosedException());
                return false;
            }
            Throwable fault = attempt(producer, left);
            if (fault == null) {
                return true;
            }
            unknownTopics.forget();
            if (isCausedByOneRecord(fault)) {
                return onRecordRejected(left, fault);
            }
            left = failUnrepeatable(left, fault);
            if (isClosed()) {
                fail(left, fault);
                return false;
            }
            if (!left.isEmpty()) {
                FailureLog.warn(
                        log, "A transaction failed; its commits are retried: thread=" + lane.threadName(), fault);
                pause();
            }
        }
        return true;
    }

    /** Writes these commits in one transaction. Returns the fault when it was not committed, or its outcome is unknown. */
    private @Nullable Throwable attempt(TransactionalProducer producer, List<Commit> batch) {
        long startNanos = System.nanoTime();
        try {
            producer.write(batch, this::isClosed);
        } catch (KafkaException e) {
            transactionMetrics.count(false, batch.size(), System.nanoTime() - startNanos);
            return e.getCause() == null ? e : e.getCause();
        }
        transactionMetrics.count(true, batch.size(), System.nanoTime() - startNanos);
        for (Commit commit : batch) {
            pending.release(commit.bytes());
            commit.complete();
        }
        return null;
    }

    private boolean onRecordRejected(List<Commit> batch, Throwable fault) throws InterruptedException {
        if (batch.size() == 1) {
            failWithOrder(batch, fault);
            return true;
        }
        boolean isAccepting = true;
        for (Commit commit : batch) {
            if (commit.order().isBroken()) {
                fail(commit, new BrokenOrderException());
            } else if (isAccepting) {
                isAccepting = write(List.of(commit));
            } else {
                fail(commit, new LogClosedException());
            }
        }
        return isAccepting;
    }

    /** Fails the commits that must not be stored twice and returns the others. */
    private List<Commit> failUnrepeatable(List<Commit> batch, Throwable fault) {
        List<Commit> repeatable = new ArrayList<>();
        List<Commit> others = new ArrayList<>();
        for (Commit commit : batch) {
            (commit.isRepeatable() ? repeatable : others).add(commit);
        }
        failWithOrder(others, fault);
        return repeatable;
    }

    private void failWithOrder(List<Commit> failed, Throwable fault) {
        List<Commit> behind = breakOrders(failed);
        fail(failed, fault);
        fail(behind, new BrokenOrderException());
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
                || fault instanceof InvalidRecordException
                || fault instanceof TopicAuthorizationException;
    }

    /** Waits until Kafka starts transactions. Returns false when it does not and the node stops, or when the node is over. */
    private boolean awaitReady(TransactionalProducer producer) throws InterruptedException {
        while (true) {
            try {
                producer.prepare();
                return true;
            } catch (NodeOverException e) {
                log.debug("This node commits nothing more", e);
                return false;
            } catch (KafkaException e) {
                log.warn("Kafka does not start transactions; {}: {}", lane.delay(), e.getMessage());
            }
            if (isClosed()) {
                return false;
            }
            pause();
        }
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
        commits.forEach(commit -> fail(commit, reason));
    }

    @Override
    public void fail(Commit commit, Throwable reason) {
        pending.release(commit.bytes());
        reject(commit, reason);
    }

    private void reject(Commit commit, Throwable reason) {
        metrics.failed(commit.topic(), reason);
        commit.fail(reason);
    }

    private List<Commit> drainQueue() {
        List<Commit> left;
        lock.lock();
        try {
            closed = true;
            left = new ArrayList<>(queue);
            queue.clear();
        } finally {
            lock.unlock();
        }
        left.addAll(unknownTopics.close());
        return left;
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Accepts no more commits. The thread writes the queued ones, until Kafka does not accept one, and ends. */
    void stop() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the end of the thread after {@link #stop}. */
    void awaitEnd(Deadline deadline) {
        try {
            if (thread.isAlive() && !thread.join(Duration.ofNanos(Math.max(0, deadline.remainingNanos())))) {
                log.warn(
                        "The last transaction did not finish before the stop; Kafka will abort it: thread={}",
                        lane.threadName());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

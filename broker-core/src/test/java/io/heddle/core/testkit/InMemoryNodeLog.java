package io.heddle.core.testkit;

import io.heddle.core.cluster.NodeLog;
import io.heddle.core.cluster.NodeRecord;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A log of nodes in memory, which several nodes share: each has a {@link #node}. Followers read a record when it is appended, on the appending
 * thread, or when a test resumes them. Thread-safe.
 */
public final class InMemoryNodeLog {
    private final InstantSource clock;
    private final List<NodeRecord> records = new ArrayList<>();
    private final List<OfNode> nodes = new ArrayList<>();
    private int beginning;

    public InMemoryNodeLog(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns the log as a new node sees it. */
    public synchronized OfNode node() {
        OfNode node = new OfNode();
        nodes.add(node);
        return node;
    }

    /** Returns all records that were appended. */
    public synchronized List<NodeRecord> records() {
        return List.copyOf(records);
    }

    /** Deletes the records below an offset. */
    public synchronized void deleteBelow(int offset) {
        beginning = offset;
    }

    private void deliver() {
        List<OfNode> all;
        synchronized (this) {
            all = List.copyOf(nodes);
        }
        all.forEach(OfNode::deliver);
    }

    /** The log as one node sees it. */
    public final class OfNode implements NodeLog {
        // Guarded by the log.
        private @Nullable Follower follower;
        private @Nullable Throwable fault;
        private int next;
        private boolean paused;
        private boolean delivering;
        private int losing;

        /** Makes every append of this node fail with this exception; null ends that. */
        public void failWith(@Nullable Throwable reason) {
            synchronized (InMemoryNodeLog.this) {
                fault = reason;
            }
        }

        /** Accepts the next records of this node and loses them, like Kafka after the loss of its servers' page caches. */
        public void lose(int count) {
            synchronized (InMemoryNodeLog.this) {
                losing = count;
            }
        }

        /** Stops the following of this node. */
        public void pause() {
            synchronized (InMemoryNodeLog.this) {
                paused = true;
            }
        }

        /** Lets this node follow again, on this thread. */
        public void resume() {
            synchronized (InMemoryNodeLog.this) {
                paused = false;
            }
            deliver();
        }

        @Override
        public CompletionStage<Appended> append(NodeRecord record) {
            Appended appended;
            synchronized (InMemoryNodeLog.this) {
                if (fault != null) {
                    return CompletableFuture.failedFuture(fault);
                }
                appended = new Appended(records.size(), clock.millis());
                if (losing > 0) {
                    losing--;
                } else {
                    records.add(record);
                }
            }
            InMemoryNodeLog.this.deliver();
            return CompletableFuture.completedFuture(appended);
        }

        @Override
        public void follow(Follower listener) {
            synchronized (InMemoryNodeLog.this) {
                if (follower != null) {
                    throw new IllegalStateException("this log is followed already");
                }
                follower = listener;
                next = beginning;
                listener.onBeginning(beginning);
            }
            deliver();
        }

        @Override
        public CompletionStage<Bounds> bounds() {
            synchronized (InMemoryNodeLog.this) {
                return CompletableFuture.completedFuture(new Bounds(beginning, records.size()));
            }
        }

        /** Passes the records on under the lock, so that each is passed once and in order. */
        private void deliver() {
            synchronized (InMemoryNodeLog.this) {
                Follower listener = follower;
                if (listener == null || paused || delivering) {
                    return;
                }
                delivering = true;
                if (next < beginning) {
                    listener.onLost("the record at offset " + next + " is deleted");
                    follower = null;
                }
                while (follower != null && next < records.size()) {
                    int offset = next++;
                    listener.onRecord(offset, records.get(offset));
                }
                if (follower != null) {
                    listener.onReached(next);
                }
                delivering = false;
            }
        }
    }
}

package io.heddle.core.session.registrar.settlement;

import io.heddle.core.changelog.LogFollower;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientLog;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLongArray;

/** The highest offset that this node has committed in each bucket of the log of clients. Thread-safe. */
public final class CommittedOffsets {
    private static final long NONE = -1;

    private final AtomicLongArray highest;

    /** No commits. */
    public CommittedOffsets(int bucketCount) {
        this.highest = new AtomicLongArray(bucketCount);
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            highest.set(bucket, NONE);
        }
    }

    /** Returns the highest offset of a bucket, or -1. It includes each commit of this node whose stage has completed. */
    public long highest(int bucket) {
        return highest.get(bucket);
    }

    /**
     * This node decides about a bucket from now on. Earlier holders have committed everything below the end of its log.
     *
     * @param end up to which this node has read the log
     */
    public void onTaken(int bucket, long end) {
        raise(bucket, end - 1);
    }

    private void raise(int bucket, long offset) {
        highest.accumulateAndGet(bucket, offset, Math::max);
    }

    /**
     * Returns a log whose commits are remembered.
     *
     * @param log to which everything is passed on
     */
    public ClientLog of(ClientLog log) {
        return new ClientLog() {
            @Override
            public CompletionStage<Long> commit(int bucket, List<ClientChange> changes) {
                return log.commit(bucket, changes).thenApply(offset -> {
                    raise(bucket, offset);
                    return offset;
                });
            }

            @Override
            public void follow(LogFollower<ClientChange> follower) {
                log.follow(follower);
            }

            @Override
            public CompletionStage<List<Long>> ends() {
                return log.ends();
            }
        };
    }
}

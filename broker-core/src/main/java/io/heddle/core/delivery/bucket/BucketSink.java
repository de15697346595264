package io.heddle.core.delivery.bucket;

import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The consumer of the logs of the buckets that this node holds. Every method is called on the one thread that reads the logs, in the order
 * of the logs, and does not block. Answers that the sink waits for run as tasks of that thread.
 */
public interface BucketSink {
    /**
     * Called once, before any other method.
     *
     * @param thread executes tasks on the reading thread; any thread may submit one
     */
    void start(Executor thread);

    /** Begins to apply buckets, none of which is held. The sink remembers nothing of an earlier holding. */
    void hold(Set<Integer> buckets);

    /**
     * Stops applying buckets, and drops their buffered commands. Ignores buckets that are not held.
     *
     * @return completes on the reading thread when the sink makes no further call to a store for these buckets; never fails
     */
    CompletionStage<Void> release(Set<Integer> buckets);

    /**
     * Starts every step that can start now. Called before and after each read, and every few milliseconds while there are {@link
     * #pendingAnswers}.
     */
    void advance();

    /**
     * Pushes the results of all buckets since the last call to the sessions. Called before each read: clients that get their messages at the
     * same time also publish at the same time, so that their publishes share appends and reads.
     */
    void sendPushes();

    /** The number of tasks to be expected. While it is above 0, reading does not wait for records. */
    int pendingAnswers();

    /** The maximum time for which reading may wait for records before the next {@link #advance}, in milliseconds. */
    long maximumWaitMillis();

    /** Determines again where to continue reading held buckets, whose queues may have rolled back. Ignores buckets that are not held. */
    void rewind(Set<Integer> buckets);

    /**
     * Returns the buckets whose reading must start or continue elsewhere, each of them once.
     *
     * @return the offset of the last applied command of each bucket whose reading must continue behind it; {@link BucketBatch#NOTHING} for the
     *     beginning of the log
     */
    Map<Integer, Long> takeSeeks();

    /** Returns whether a bucket may be read: it is held, its position is known, and its buffer has room. */
    boolean canRead(int bucket);

    /**
     * Takes the next commands of a bucket.
     *
     * @param firstMillis when the first command was written, in milliseconds since 1970
     */
    void onCommands(int bucket, List<Logged> commands, long firstMillis);

    /**
     * Reports that every command below this offset was handed over. An offset need not belong to a command, because transaction markers take
     * offsets, too.
     */
    void onReached(int bucket, long nextOffset);

    /**
     * Reports that a bucket is not read again in this holding, because continuing would lose messages.
     *
     * @param reason one sentence for the operator: what, where, what to do
     */
    void onStopped(int bucket, String reason);
}

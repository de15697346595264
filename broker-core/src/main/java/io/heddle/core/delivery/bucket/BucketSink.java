package io.heddle.core.delivery.bucket;

import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Takes the commands of the bucket logs. Everything is called on the one thread that reads the logs, in the order of the logs, and
 * does not block. What the sink waits for comes as a task of that thread.
 */
public interface BucketSink {
    /**
     * Reading begins. Once, before everything else.
     *
     * @param thread runs tasks on the thread that reads, soon; any thread may give it one
     */
    void begin(Executor thread);

    /** Goes on with what can go on. Called before and after each read, and every few milliseconds while tasks are {@link #awaited}. */
    void turn();

    /**
     * Tells the sessions of all buckets together what they got since the last time. Before each read: clients that are told together act
     * together, so that their publishes share appends and reads.
     */
    void tell();

    /** How many tasks will come: while there are any, reading waits for no records. */
    int awaited();

    /** For how long at most reading may wait for records before the next turn, in milliseconds. */
    long patienceMillis();

    /** The queues of some buckets may have forgotten something: finds out anew where to go on. */
    void rewind(Set<Integer> buckets);

    /**
     * Where reading begins, or goes on.
     *
     * @return buckets with the offset of the last command that is applied, each once: reading goes on behind it. {@link
     *     BucketBatch#NOTHING} for the beginning of the log
     */
    Map<Integer, Long> takeSeeks();

    /** Whether a bucket is read: not before the sink has said where, and not while enough of it is buffered. */
    boolean takes(int bucket);

    /**
     * Takes commands that follow those that were read of the bucket before.
     *
     * @param firstMillis when the first of them was written, in milliseconds since 1970
     */
    void read(int bucket, List<Logged> commands, long firstMillis);

    /**
     * Everything below this offset was handed over, also when there was nothing to hand over: what makes a commit atomic takes
     * offsets of its own.
     */
    void reached(int bucket, long nextOffset);

    /**
     * A bucket is not read any more until the node is started again, because going on would lose something.
     *
     * @param reason one sentence for the operator: what, where, what to do
     */
    void stopped(int bucket, String reason);
}

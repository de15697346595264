package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The topic of one APPLICATION client. Any thread may count appends and report acknowledgements; the thread of {@link ApplicationTopics}
 * owns the rest. States: foreign (another node creates and deletes it; this one only appends and reads) ⇄ in use ⇄ ended (its deletion is
 * scheduled) → deleting → deleted. A topic that is not reusable is in use only after Kafka has deleted it and created it again.
 */
final class ApplicationTopic {
    static final long NO_OFFSET = -1;

    /** The bucket of a topic whose name does not contain the whole client id. */
    static final int UNKNOWN_BUCKET = -1;

    private static final long FOREIGN = 0;
    private static final int RETIRED = Integer.MIN_VALUE;

    private final TopicPartition partition;
    private volatile int bucket = UNKNOWN_BUCKET;
    private final AtomicInteger pendingAppends = new AtomicInteger();
    // Guarded by this.
    private long generation;
    private long acknowledgedBelow = NO_OFFSET;

    // Owned by the thread of ApplicationTopics.
    private final OwnerThread owner;
    private boolean ended;
    private boolean deleting;
    private boolean reusable;
    private long deletableBelow;
    private long deletedBelow;
    private long committedBelow = NO_OFFSET;
    private @Nullable ScheduledFuture<?> deletion;

    ApplicationTopic(String name, OwnerThread owner) {
        this.owner = owner;
        this.partition = new TopicPartition(name, 0);
    }

    /** Returns the bucket of the client, or {@link #UNKNOWN_BUCKET}. */
    int bucket() {
        return bucket;
    }

    /** Sets the bucket of the client, which is always the same. */
    void bucket(int ofClient) {
        bucket = ofClient;
    }

    String name() {
        return partition.topic();
    }

    /** Returns the topic's only partition. */
    TopicPartition partition() {
        return partition;
    }

    /** Counts an append, or returns false if this object has been retired. */
    boolean tryStartAppend() {
        return pendingAppends.getAndUpdate(pending -> pending == RETIRED ? pending : pending + 1) != RETIRED;
    }

    void onAppendFinished() {
        pendingAppends.decrementAndGet();
    }

    boolean hasPendingAppends() {
        return pendingAppends.get() > 0;
    }

    /** Makes the next append use another object, unless one is pending. Returns whether it does. */
    boolean retire() {
        return pendingAppends.compareAndSet(0, RETIRED) || pendingAppends.get() == RETIRED;
    }

    /** Records that a session has acknowledged everything below an offset; ignored if the session is not the current one. */
    synchronized void onAcknowledged(long ofGeneration, long offset) {
        if (ofGeneration == generation) {
            acknowledgedBelow = Math.max(acknowledgedBelow, offset);
        }
    }

    // Owning thread only.

    synchronized long generation() {
        return generation;
    }

    private synchronized long acknowledgedBelow() {
        return acknowledgedBelow;
    }

    private synchronized void advanceTo(long newGeneration) {
        if (newGeneration > generation) {
            // The topic may have been deleted and recreated.
            restart(newGeneration);
        }
    }

    private synchronized void restart(long newGeneration) {
        generation = newGeneration;
        acknowledgedBelow = NO_OFFSET;
        deletableBelow = 0;
        deletedBelow = 0;
        committedBelow = NO_OFFSET;
    }

    /** A session of this generation uses the topic: cancels its deletion and ignores earlier generations. */
    void use(long newGeneration) {
        owner.assertCurrent();
        advanceTo(newGeneration);
        ended = false;
        if (deletion != null) {
            deletion.cancel(false);
            deletion = null;
        }
    }

    /** Another node decides about the client from now on. */
    void giveUp() {
        owner.assertCurrent();
        if (deletion != null) {
            deletion.cancel(false);
            deletion = null;
        }
        ended = false;
        reusable = false;
        restart(FOREIGN);
    }

    /** Returns whether another node decides about the client, as far as this one knows. */
    boolean isForeign() {
        owner.assertCurrent();
        return generation() == FOREIGN && !ended;
    }

    /** No record is deletable before the session reports acknowledgements again; ignored if the session is not the current one. */
    void keep(long ofGeneration) {
        owner.assertCurrent();
        synchronized (this) {
            if (ofGeneration == generation) {
                acknowledgedBelow = NO_OFFSET;
                deletableBelow = NO_OFFSET;
                committedBelow = NO_OFFSET;
            }
        }
    }

    /** The session has ended; the scheduled task deletes the topic. */
    void onSessionEnded(ScheduledFuture<?> scheduled) {
        owner.assertCurrent();
        ended = true;
        if (deletion != null) {
            deletion.cancel(false);
        }
        deletion = scheduled;
    }

    boolean isEnded() {
        owner.assertCurrent();
        return ended;
    }

    /** Returns whether a delete request is in flight. */
    boolean isDeleting() {
        owner.assertCurrent();
        return deleting;
    }

    void setDeleting(boolean isInFlight) {
        owner.assertCurrent();
        deleting = isInFlight;
    }

    /**
     * Returns whether a session may use the topic that Kafka has: this node created it, or restored it for a session, and has never requested
     * its deletion. A topic without a session may be deleted late by a node that has been replaced.
     */
    boolean isReusable() {
        owner.assertCurrent();
        return reusable;
    }

    void setReusable(boolean isReusable) {
        owner.assertCurrent();
        reusable = isReusable;
    }

    /**
     * Returns the offset below which records may be deleted: those that were already acknowledged at the previous call. Returns {@link
     * #NO_OFFSET} if they are deleted already.
     */
    long nextDeletable() {
        owner.assertCurrent();
        long below = deletableBelow;
        deletableBelow = acknowledgedBelow();
        return below > deletedBelow ? below : NO_OFFSET;
    }

    /** Returns the offset below which everything is acknowledged, or {@link #NO_OFFSET} if that offset is committed already. */
    long uncommitted() {
        owner.assertCurrent();
        long below = acknowledgedBelow();
        return below > committedBelow ? below : NO_OFFSET;
    }

    /** Kafka has committed the offset below which a session has acknowledged everything. */
    void onCommitted(long ofGeneration, long offset) {
        owner.assertCurrent();
        if (ofGeneration == generation()) {
            committedBelow = offset;
        }
    }

    /** Causes the next commit to repeat the offset, which Kafka may have deleted. */
    void forgetCommitted() {
        owner.assertCurrent();
        committedBelow = NO_OFFSET;
    }

    void setDeletedBelow(long offset) {
        owner.assertCurrent();
        deletedBelow = Math.max(deletedBelow, offset);
    }
}

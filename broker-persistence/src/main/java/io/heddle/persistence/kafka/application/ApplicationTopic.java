package io.heddle.persistence.kafka.application;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The topic of one APPLICATION client. Any thread counts what is appended to it and says what was acknowledged; the rest belongs to
 * the thread of {@link ApplicationTopics}. States: wanted ⇄ ended (deleted when its time has come) → being deleted → gone.
 */
final class ApplicationTopic {
    /** No offset. */
    static final long NOTHING = -1;

    private final TopicPartition partition;
    private final AtomicInteger underWay = new AtomicInteger();
    // Guarded by this.
    private long generation;
    private long acknowledgedBelow = NOTHING;

    // Of the topics' thread.
    private boolean ended;
    private boolean deleting;
    private long deletableBelow;
    private long deletedBelow;
    private long reportedBelow = NOTHING;
    private @Nullable ScheduledFuture<?> deletion;

    ApplicationTopic(String name) {
        this.partition = new TopicPartition(name, 0);
    }

    String name() {
        return partition.topic();
    }

    /** The only one. */
    TopicPartition partition() {
        return partition;
    }

    /** An append begins. */
    void began() {
        underWay.incrementAndGet();
    }

    /** An append has its answer. */
    void ended() {
        underWay.decrementAndGet();
    }

    /** Whether somebody appends to it at this moment. */
    boolean isAppendedTo() {
        return underWay.get() > 0;
    }

    /** A session does not need what is below this offset any more; nothing is said of the topic by an earlier session. */
    synchronized void acknowledged(long ofGeneration, long offset) {
        if (ofGeneration == generation) {
            acknowledgedBelow = Math.max(acknowledgedBelow, offset);
        }
    }

    // On the topics' thread.

    synchronized long generation() {
        return generation;
    }

    private synchronized long acknowledgedBelow() {
        return acknowledgedBelow;
    }

    private synchronized void generation(long wanted) {
        if (wanted > generation) {
            // The topic may be another one than before.
            generation = wanted;
            acknowledgedBelow = NOTHING;
            deletableBelow = 0;
            deletedBelow = 0;
            reportedBelow = NOTHING;
        }
    }

    /** A session of this generation needs it: nothing of it is deleted for an earlier one. */
    void wantedBy(long wanted) {
        generation(wanted);
        ended = false;
        if (deletion != null) {
            deletion.cancel(false);
            deletion = null;
        }
    }

    /** Nobody needs it; it is deleted when this task runs. */
    void ended(ScheduledFuture<?> scheduled) {
        ended = true;
        if (deletion != null) {
            deletion.cancel(false);
        }
        deletion = scheduled;
    }

    boolean isEnded() {
        return ended;
    }

    /** Whether Kafka was asked to delete it and has not answered. */
    boolean isDeleting() {
        return deleting;
    }

    void deleting(boolean asked) {
        deleting = asked;
    }

    /** Up to where records may be deleted, which was acknowledged when this was asked last; or {@link #NOTHING}. */
    long deletable() {
        long below = deletableBelow;
        deletableBelow = acknowledgedBelow();
        return below > deletedBelow ? below : NOTHING;
    }

    /** Below which offset everything is acknowledged, if Kafka was not told that yet; else {@link #NOTHING}. */
    long unreported() {
        long below = acknowledgedBelow();
        return below > reportedBelow ? below : NOTHING;
    }

    /** Kafka was told that a session has acknowledged everything below this offset. */
    void told(long ofGeneration, long offset) {
        if (ofGeneration == generation()) {
            reportedBelow = offset;
        }
    }

    /** Kafka may have forgotten what it was told. */
    void tellAgain() {
        reportedBelow = NOTHING;
    }

    /** Records below this offset are deleted. */
    void deletedBelow(long offset) {
        deletedBelow = Math.max(deletedBelow, offset);
    }
}

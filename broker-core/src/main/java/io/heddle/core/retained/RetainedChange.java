package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * A change of a topic's retained message that is visible to subscribers while its append to the log is in flight. Its publisher
 * reports the outcome of the append exactly once. Thread-safe.
 */
@HotPath
public final class RetainedChange {
    private final RetainedMessages messages;
    final TopicName topic;
    /** The sequence number among the topic's changes in flight, from 1. */
    final long number;

    final @Nullable RetainedMessage value;

    RetainedChange(RetainedMessages messages, TopicName topic, long number, @Nullable RetainedMessage value) {
        this.messages = messages;
        this.topic = topic;
        this.number = number;
        this.value = value;
    }

    /** Returns whether the change removes the retained message, so that a record without value must be appended. */
    public boolean removes() {
        return value == null;
    }

    /**
     * Defers a commit while the removal of the topic's expired message is in flight: the log does not keep the order of a commit
     * and an append that are in flight together, and the removal must not come last.
     *
     * @param commit runs later on a thread of the log and must not block; not used if this returns false
     * @return whether it was deferred; otherwise the caller commits immediately
     */
    public boolean defersUntilRemoved(Runnable commit) {
        return messages.defersUntilRemoved(this, commit);
    }

    /** Reports that the change is durable. */
    public void appended() {
        messages.settle(this, true);
    }

    /** Reports that the append failed: restores the topic's latest retained message that is durable or in flight. */
    public void failed() {
        messages.settle(this, false);
    }
}

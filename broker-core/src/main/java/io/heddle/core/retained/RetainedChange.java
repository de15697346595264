package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.retained.trie.RetainedMessage;
import org.jspecify.annotations.Nullable;

/**
 * A change of a topic's retained message that is visible to subscribers while its commit to the log is in flight. Its publisher
 * reports the outcome of the commit exactly once. Thread-safe.
 */
@HotPath
public final class RetainedChange {
    private final RetainedMessages messages;
    final TopicName topic;
    final @Nullable RetainedMessage value;
    /** Its place among the changes of this node. Guarded by the lock of the messages. */
    long number;
    // Written and read by the thread that reports the outcome.
    private long offset;

    RetainedChange(RetainedMessages messages, TopicName topic, @Nullable RetainedMessage value) {
        this.messages = messages;
        this.topic = topic;
        this.value = value;
    }

    /** Returns whether the change removes the retained message, so that a record without value must be appended. */
    public boolean removes() {
        return value == null;
    }

    /** The commit has stored the change at this offset of the log. Called before {@link #appended}. */
    public void storedAt(long place) {
        offset = place;
    }

    long offset() {
        return offset;
    }

    /** Reports that the change is durable. */
    public void appended() {
        messages.settle(this, true);
    }

    /** Reports that the commit failed: restores the topic's latest retained message that is durable or in flight. */
    public void failed() {
        messages.settle(this, false);
    }
}

package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * A change of a topic's retained message that subscribers see already and that is being appended to the log. Its publisher says once
 * what became of the append. Thread-safe.
 */
@HotPath
public final class RetainedChange {
    private final RetainedMessages messages;
    final TopicName topic;
    /** Of the changes of the topic that were in flight together, from 1. */
    final long number;

    final @Nullable RetainedMessage value;

    RetainedChange(RetainedMessages messages, TopicName topic, long number, @Nullable RetainedMessage value) {
        this.messages = messages;
        this.topic = topic;
        this.number = number;
        this.value = value;
    }

    /** Whether the topic has no retained message from now on: a record without a value is to be appended. */
    public boolean removes() {
        return value == null;
    }

    /**
     * Defers a commit while the removal of the topic's expired message is in flight: the log does not keep the order of a commit and an
     * append that are in flight together, and the removal must not come last.
     *
     * @param commit runs later, on a thread of the log, and must not block; or not at all when this says false
     * @return whether it was deferred; otherwise the caller commits now
     */
    public boolean defersUntilRemoved(Runnable commit) {
        return messages.defersUntilRemoved(this, commit);
    }

    /** It is durable. */
    public void appended() {
        messages.settled(this, true);
    }

    /** It was not appended: the topic's latest retained message that was appended, or is being appended, is back. */
    public void failed() {
        messages.settled(this, false);
    }
}

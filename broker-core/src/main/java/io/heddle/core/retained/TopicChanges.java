package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.retained.trie.RetainedMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commits of one topic that are in flight or not followed yet. Used by the writer that holds the lock. Bound: the log limits commits in
 * flight, and each entry is one of them; the last one is kept until this node has followed it.
 *
 * <p>Outcomes arrive in the order of the log. Two publishers may commit in another order than that of their changes; the last record of the
 * log counts, because a restart reads it. The commit of this node may be durable before the earlier records of others are followed, or the
 * other way round: the record with the higher offset counts.
 */
@HotPath
final class TopicChanges {
    private static final long NONE = -1;

    /** The value of the last record that is known to be durable: a commit of this node, or a followed record. */
    private @Nullable RetainedMessage durable;

    private long durableOffset = NONE;
    /** The value that the followed part of the log gives the topic. */
    private @Nullable RetainedMessage followed;

    private long followedOffset = NONE;

    private final List<RetainedChange> inFlight = new ArrayList<>(1);

    /** @param followed the value of the topic without these changes */
    TopicChanges(@Nullable RetainedMessage followed) {
        this.durable = followed;
        this.followed = followed;
    }

    RetainedChange add(RetainedMessages messages, TopicName topic, @Nullable RetainedMessage value) {
        RetainedChange change = new RetainedChange(messages, topic, value);
        inFlight.add(change);
        return change;
    }

    /** Records the outcome of a change. A commit with an unknown outcome counts as failed; if it is in the log, it will be followed. */
    void settle(RetainedChange change, boolean isDurable) {
        inFlight.remove(change);
        if (isDurable && change.offset() > durableOffset) {
            durable = change.value;
            durableOffset = change.offset();
        }
    }

    /** Returns the value that the followed part of the log gives the topic. */
    @Nullable
    RetainedMessage followed() {
        return followed;
    }

    /** The next record of the topic is followed. */
    void follow(@Nullable RetainedMessage value, long offset) {
        // The record of this node and its copy are the same message: keep the one that is visible.
        followed = offset == durableOffset ? durable : value;
        followedOffset = offset;
        if (offset > durableOffset) {
            durable = value;
            durableOffset = offset;
        }
    }

    /** Returns the value that is visible: that of the last change in flight, else the durable one. */
    @Nullable
    RetainedMessage value() {
        return inFlight.isEmpty() ? durable : inFlight.getLast().value;
    }

    boolean isIdle() {
        return inFlight.isEmpty() && followedOffset >= durableOffset;
    }
}

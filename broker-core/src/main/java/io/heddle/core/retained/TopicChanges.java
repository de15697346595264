package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commits of one topic that are in flight. Used by the writer that holds the lock. Bound: the log limits commits in flight, and each
 * entry is one of them.
 *
 * <p>Outcomes arrive in the order of the log. Two publishers may commit in another order than that of their changes; the last record of the
 * log counts, because a restart reads it.
 */
@HotPath
final class TopicChanges {
    /** The latest value that is durable. */
    private @Nullable RetainedMessage durable;

    private final List<RetainedChange> inFlight = new ArrayList<>(1);
    private boolean removing;

    TopicChanges(@Nullable RetainedMessage durable) {
        this.durable = durable;
    }

    RetainedChange add(RetainedMessages messages, TopicName topic, @Nullable RetainedMessage value) {
        RetainedChange change = new RetainedChange(messages, topic, value);
        inFlight.add(change);
        return change;
    }

    /** Records the outcome of a change. Returns whether the visible value may have to change. */
    boolean settle(RetainedChange change, boolean isDurable) {
        boolean isFirst = inFlight.getFirst() == change;
        inFlight.remove(change);
        if (isDurable) {
            durable = change.value;
        }
        return !isDurable || !isFirst;
    }

    /** Returns the value that is visible: that of the last change in flight, else the durable one. */
    @Nullable
    RetainedMessage value() {
        return inFlight.isEmpty() ? durable : inFlight.getLast().value;
    }

    /** Records that the removal of the topic's expired message is about to be committed. */
    void removing() {
        removing = true;
    }

    /** Records that the removal has completed. */
    void removed() {
        removing = false;
    }

    boolean isIdle() {
        return inFlight.isEmpty() && !removing;
    }
}

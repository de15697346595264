package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is being appended for one topic. Used by the writer whose turn it is. Bound: the log refuses appends above its own bound, and
 * each entry is an append in flight.
 */
@HotPath
final class TopicChanges {
    /** The latest value that is durable. */
    private @Nullable RetainedMessage durable;

    private long durableNumber;
    private long lastNumber;
    private final List<RetainedChange> inFlight = new ArrayList<>(1);
    private boolean removing;
    private @Nullable List<Runnable> deferred;

    TopicChanges(@Nullable RetainedMessage durable) {
        this.durable = durable;
    }

    RetainedChange add(RetainedMessages messages, TopicName topic, @Nullable RetainedMessage value) {
        lastNumber++;
        RetainedChange change = new RetainedChange(messages, topic, lastNumber, value);
        inFlight.add(change);
        return change;
    }

    /** A change is not in flight any more. Of two durable ones the later counts, whichever was durable first. */
    void settled(RetainedChange change, boolean isDurable) {
        inFlight.remove(change);
        if (isDurable && change.number > durableNumber) {
            durableNumber = change.number;
            durable = change.value;
        }
    }

    /** The value that subscribers see when the last change has failed. */
    @Nullable
    RetainedMessage value() {
        if (inFlight.isEmpty() || inFlight.getLast().number < durableNumber) {
            return durable;
        }
        return inFlight.getLast().value;
    }

    /** The removal of the topic's expired message is about to be appended. */
    void removing() {
        removing = true;
    }

    /** Says whether a removal is in flight; then this runs after it. */
    boolean defers(Runnable commit) {
        if (!removing) {
            return false;
        }
        List<Runnable> more = deferred;
        if (more == null) {
            more = new ArrayList<>(1);
            deferred = more;
        }
        more.add(commit);
        return true;
    }

    /** The removal is not in flight any more. */
    void removed() {
        removing = false;
        List<Runnable> due = deferred;
        deferred = null;
        if (due != null) {
            due.forEach(Runnable::run);
        }
    }

    boolean isIdle() {
        return inFlight.isEmpty() && !removing;
    }
}

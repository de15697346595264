package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The appends of one topic that are in flight. Used by the writer that holds the lock. Bound: the log limits appends in flight,
 * and each entry is one of them.
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

    /** Records the outcome of a change. Of two durable changes the later one counts, in whichever order they became durable. */
    void settle(RetainedChange change, boolean isDurable) {
        inFlight.remove(change);
        if (isDurable && change.number > durableNumber) {
            durableNumber = change.number;
            durable = change.value;
        }
    }

    /** Returns the value that becomes visible after the last change has failed. */
    @Nullable
    RetainedMessage value() {
        if (inFlight.isEmpty() || inFlight.getLast().number < durableNumber) {
            return durable;
        }
        return inFlight.getLast().value;
    }

    /** Records that the removal of the topic's expired message is about to be appended. */
    void removing() {
        removing = true;
    }

    /** Returns whether a removal is in flight; if so, the commit runs after it. */
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

    /** Records that the removal has completed and runs the deferred commits. */
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

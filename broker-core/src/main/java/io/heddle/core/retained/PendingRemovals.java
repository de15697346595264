package io.heddle.core.retained;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.TopicName;
import java.util.HashSet;
import java.util.Set;

/**
 * The conditional records of this node that it has not followed yet. Used by the writer that holds the lock. Bounded: above {@value #MAXIMUM}
 * no further one is begun.
 */
final class PendingRemovals {
    private static final int MAXIMUM = 1_000;
    private static final long RETRY_PAUSE_MILLIS = 1_000;

    private final SteadyClock clock;
    private final Set<TopicName> conditional = new HashSet<>();
    private long nextMillis;

    PendingRemovals(SteadyClock clock) {
        this.clock = clock;
    }

    /** Returns whether another one may begin now. */
    boolean hasRoom() {
        return conditional.size() < MAXIMUM && clock.millis() >= nextMillis;
    }

    /** Begins a conditional record. Returns whether no other one of its topic is pending. */
    boolean begin(TopicName topic) {
        return conditional.add(topic);
    }

    /** A conditional record is durable, and will be followed, or has failed. */
    void end(TopicName topic, boolean failed) {
        if (failed) {
            conditional.remove(topic);
            nextMillis = clock.millis() + RETRY_PAUSE_MILLIS;
        }
    }

    /** A record is followed. Returns whether it is a conditional one of a topic for which this node has written one. */
    boolean onFollowed(Change<TopicName, PublishMessage> record) {
        return !(record.condition() instanceof ChangeCondition.Always) && conditional.remove(record.key());
    }
}

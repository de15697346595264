package io.heddle.perf.load.traffic;

import io.heddle.perf.load.accounting.Groups;
import java.time.Duration;

/**
 * A message load.
 *
 * @param name for the report
 * @param topic where a publisher publishes; {@code {publisher}} and {@code {group}} stand for their numbers
 * @param filter what a subscriber subscribes to; {@code {subscriber}} and {@code {group}} stand for their numbers
 * @param qos of PUBLISH and SUBSCRIBE
 * @param payloadBytes of each message
 * @param window messages of a publisher under way in the closed loop; 0 for a fixed rate
 * @param rate messages per second of all publishers together at a fixed rate; 0 for the closed loop
 * @param unacknowledged messages of a publisher that may wait for PUBACK or PUBCOMP
 * @param persistence whose sessions outlive their connections
 * @param giveUp how long a message may stand still until it no longer counts for the window, and how long the end waits
 * @param lossForbidden whether a lost message is a fault
 */
public record MessagePlan(
        String name,
        Groups groups,
        String topic,
        String filter,
        int qos,
        int payloadBytes,
        int window,
        double rate,
        int unacknowledged,
        Persistence persistence,
        Duration giveUp,
        boolean lossForbidden) {
    /** Whose sessions outlive their connections. */
    public enum Persistence {
        NONE,
        SUBSCRIBERS,
        ALL
    }

    boolean isPaced() {
        return rate > 0;
    }

    boolean subscribersPersist() {
        return persistence != Persistence.NONE;
    }

    boolean publishersPersist() {
        return persistence == Persistence.ALL;
    }

    String topicOf(int publisher) {
        return topic.replace("{publisher}", Integer.toString(publisher))
                .replace("{group}", Integer.toString(groups.groupOfPublisher(publisher)));
    }

    String filterOf(int subscriber) {
        return filter.replace("{subscriber}", Integer.toString(subscriber))
                .replace("{group}", Integer.toString(groups.groupOfSubscriber(subscriber)));
    }
}

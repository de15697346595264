package io.heddle.perf.load.traffic;

import io.heddle.perf.load.accounting.Groups;
import io.heddle.perf.load.traffic.BrokerAccess.Client;
import io.heddle.perf.load.traffic.BrokerAccess.ClientKind;
import java.time.Duration;

/**
 * A message load.
 *
 * @param name the name in the report
 * @param topic the topic of a publisher; {@code {publisher}} and {@code {group}} stand for their numbers
 * @param filter the filter of a subscriber; {@code {subscriber}} and {@code {group}} stand for their numbers
 * @param qos QoS of PUBLISH and SUBSCRIBE
 * @param retain whether publishers set RETAIN
 * @param payloadBytes payload size of each message
 * @param window undelivered messages of a publisher in the closed loop; 0 for a fixed rate
 * @param rate messages per second of all publishers together at a fixed rate; 0 for the closed loop
 * @param unacknowledged messages of a publisher that may be without PUBACK or PUBCOMP
 * @param persistence the clients whose sessions outlive their connections
 * @param giveUp the time after which an undelivered message no longer counts for the window, and the timeout at the end
 * @param lossForbidden whether a lost message is a fault
 */
public record MessagePlan(
        String name,
        Groups groups,
        String topic,
        String filter,
        int qos,
        boolean retain,
        int payloadBytes,
        int window,
        double rate,
        int unacknowledged,
        Persistence persistence,
        Duration giveUp,
        boolean lossForbidden) {
    /** The clients whose sessions outlive their connections. */
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

    Client publisher(int number) {
        return new Client(ClientKind.PUBLISHER, number, groups.groupOfPublisher(number));
    }

    Client subscriber(int number) {
        return new Client(ClientKind.SUBSCRIBER, number, groups.groupOfSubscriber(number));
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

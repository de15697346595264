package io.heddle.app.e2e;

import java.util.List;

/**
 * A last message on a topic. The broker keeps the order of messages of a topic and a QoS, so everything that it sent before, a late
 * duplicate included, has arrived when the sentinel has.
 */
record Sentinel(String payload) {
    private static final String PREFIX = "sentinel ";

    /** Publishes a sentinel with the publisher, and at the QoS, of the messages that it follows. */
    static Sentinel publish(LibraryClient publisher, String topic, int qos) throws Exception {
        Sentinel sentinel = next();
        publisher.publish(topic, sentinel.payload, qos);
        return sentinel;
    }

    /** Publishes a sentinel behind messages that the broker has acknowledged. */
    static Sentinel publish(BrokerUnderTest broker, String topic, int qos) throws Exception {
        Sentinel sentinel = next();
        broker.publish(topic, sentinel.payload, qos);
        return sentinel;
    }

    private static Sentinel next() {
        return new Sentinel(PREFIX + Library.newClientId());
    }

    /** Waits until the subscriber has this sentinel, and returns everything else that it has received, but for other sentinels. */
    List<ReceivedMessage> othersOf(LibraryClient subscriber) {
        awaitAt(subscriber);
        return subscriber.received().stream()
                .filter(message -> !message.payload().startsWith(PREFIX))
                .toList();
    }

    /** As {@link #othersOf}, but the payloads alone. */
    List<String> otherPayloadsOf(LibraryClient subscriber) {
        return othersOf(subscriber).stream().map(ReceivedMessage::payload).toList();
    }

    /** Waits until the subscriber has this sentinel. */
    void awaitAt(LibraryClient subscriber) {
        Soon.until(() -> subscriber.payloads().contains(payload));
    }
}

package io.heddle.core.retained;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;

/**
 * What is kept of a message. Its topic is the place in the trie where it hangs: a million topics cost less that way than
 * their texts would. Immutable.
 */
final class RetainedMessage {
    /** Whom the topic counts for: the client that left the first of the messages that replaced each other here. */
    final ClientId creator;

    private final ClientId publisher;
    private final QoS qos;
    private final PublishProperties properties;
    private final byte[] payload;
    private final long expiresAtMillis;

    RetainedMessage(PublishMessage message, ClientId creator) {
        this.creator = creator;
        this.publisher = message.publisher();
        this.qos = message.qos();
        this.properties = message.properties();
        this.payload = message.payload().array();
        this.expiresAtMillis = message.expiresAtMillis();
    }

    boolean canExpire() {
        return expiresAtMillis != PublishMessage.NEVER_EXPIRES;
    }

    boolean isExpiredAt(long nowMillis) {
        return nowMillis >= expiresAtMillis;
    }

    /** Its share of what is kept, without the topic. */
    long bytes() {
        return Footprint.ofMessage(payload.length, properties);
    }

    PublishMessage on(TopicName topic) {
        return new PublishMessage(publisher, topic, qos, true, properties, BinaryData.wrap(payload), expiresAtMillis);
    }
}

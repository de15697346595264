package io.heddle.core.retained.trie;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import java.util.Arrays;

/**
 * The stored part of a retained message. The topic is not included: it follows from the trie node, which needs less memory than a
 * string for each topic. Immutable.
 */
public final class RetainedMessage {
    private final ClientId creator;

    private final ClientId publisher;
    private final QoS qos;
    private final PublishProperties properties;
    private final byte[] payload;
    private final long expiresAtMillis;

    /** @param creator the client charged for the topic: the publisher of the first message, later replaced by others */
    public RetainedMessage(PublishMessage message, ClientId creator) {
        this.creator = creator;
        this.publisher = message.publisher();
        this.qos = message.qos();
        this.properties = message.properties();
        this.payload = message.payload().array();
        this.expiresAtMillis = message.expiresAtMillis();
    }

    /** Returns the client that is charged for the topic. */
    public ClientId creator() {
        return creator;
    }

    public boolean canExpire() {
        return expiresAtMillis != PublishMessage.NEVER_EXPIRES;
    }

    public boolean isExpiredAt(long nowMillis) {
        return nowMillis >= expiresAtMillis;
    }

    /** Returns whether it has expired by an instant that a record names, regardless of this node's clock. */
    public boolean expiresBy(long millis) {
        return canExpire() && expiresAtMillis <= millis;
    }

    public long expiresAtMillis() {
        return expiresAtMillis;
    }

    public int payloadBytes() {
        return payload.length;
    }

    /** Returns a number that depends on the topic and the message, the same on all nodes. */
    public long checksum(String topic) {
        long sum = topic.hashCode();
        sum = mixed(sum, publisher.value().hashCode());
        sum = mixed(sum, qos.level());
        sum = mixed(sum, expiresAtMillis);
        sum = mixed(sum, properties.hashCode());
        sum = mixed(sum, Arrays.hashCode(payload));
        return mixed(sum, payload.length);
    }

    private static long mixed(long sum, long part) {
        // The finalizer of MurmurHash3.
        long mixed = (sum * 31 + part) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }

    /** Returns its estimated bytes, without the topic. */
    public long bytes() {
        return Footprint.ofMessage(payload.length, properties);
    }

    public PublishMessage toPublishMessage(TopicName topic) {
        return new PublishMessage(publisher, topic, qos, true, properties, BinaryData.wrap(payload), expiresAtMillis);
    }
}

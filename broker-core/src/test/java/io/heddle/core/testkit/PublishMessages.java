package io.heddle.core.testkit;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import java.nio.charset.StandardCharsets;

/**
 * Creates messages for tests that specify only what matters to them. Defaults: from client "sensor" to plant/1 at QoS 1, not
 * retained, without properties, never expiring.
 */
public final class PublishMessages {
    /** The name of a QoS 2 message, for tests that need any. */
    public static final MessageName NAME = new MessageName(new Incarnation(258, 0x89abcdef), 3, 4_711);

    private static final int TOPIC_LEVELS = 8;

    private PublishMessages() {}

    public static PublishMessage message(String payload) {
        return expiring(payload, PublishMessage.NEVER_EXPIRES);
    }

    public static PublishMessage message(byte[] payload) {
        return message("plant/1", QoS.AT_LEAST_ONCE, payload, PublishMessage.NEVER_EXPIRES);
    }

    public static PublishMessage message(String topic, QoS qos, String payload) {
        return message(topic, qos, payload.getBytes(StandardCharsets.UTF_8), PublishMessage.NEVER_EXPIRES);
    }

    /** @param atMillis a moment of the {@link io.heddle.core.message.SteadyClock} */
    public static PublishMessage expiring(String payload, long atMillis) {
        return message("plant/1", QoS.AT_LEAST_ONCE, payload.getBytes(StandardCharsets.UTF_8), atMillis);
    }

    /** Returns the payload, which must be text. */
    public static String text(PublishMessage message) {
        return new String(message.payload().array(), StandardCharsets.UTF_8);
    }

    private static PublishMessage message(String topic, QoS qos, byte[] payload, long expiresAtMillis) {
        return new PublishMessage(
                new ClientId("sensor"),
                TopicName.parse(topic, TOPIC_LEVELS),
                qos,
                false,
                PublishProperties.NONE,
                BinaryData.wrap(payload),
                expiresAtMillis);
    }
}

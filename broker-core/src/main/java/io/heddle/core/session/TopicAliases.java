package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;
import org.jspecify.annotations.Nullable;

/**
 * The Topic Aliases that a client has set on its connection. Belongs to the session's event loop. Bound: the Topic Alias Maximum
 * that CONNACK announced.
 */
@HotPath
final class TopicAliases {
    private final int maximum;
    private @Nullable TopicName @Nullable [] topics;

    /** No aliases yet; {@code maximum} is 0 to 65,535. */
    TopicAliases(int maximum) {
        this.maximum = maximum;
    }

    /**
     * The topic that a PUBLISH names, which may set an alias or use one.
     *
     * @throws ProtocolException for an alias above the maximum [MQTT-3.3.2-9], or one that was not set
     */
    TopicName resolve(PublishPacket packet) {
        TopicName topic = packet.topic();
        int alias = packet.topicAlias();
        if (alias == PublishPacket.NO_TOPIC_ALIAS) {
            if (topic == null) {
                // MQTT 5.0, section 3.3.2.1
                throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "neither a topic name nor a topic alias");
            }
            return topic;
        }
        if (alias > maximum) {
            throw new ProtocolException(
                    ReasonCode.TOPIC_ALIAS_INVALID, "the topic alias is above the maximum of " + maximum);
        }
        if (topics == null) {
            topics = new @Nullable TopicName[maximum + 1];
        }
        if (topic != null) {
            topics[alias] = topic;
            return topic;
        }
        TopicName known = topics[alias];
        if (known == null) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "the topic alias was not set on this connection");
        }
        return known;
    }
}

package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.quota.MemoryBudget;
import org.jspecify.annotations.Nullable;

/**
 * The Topic Aliases that a client has set on its connection. Owned by the session's event loop. Bound: the Topic Alias Maximum that CONNACK
 * announced; each alias is charged to the memory of all sessions.
 */
@HotPath
final class TopicAliases {
    private static final int BYTES_PER_ALIAS = 64;
    private static final int BYTES_PER_LEVEL = 64;

    private final int maximum;
    private final MemoryBudget memory;
    private @Nullable TopicName @Nullable [] topics;

    /** No aliases yet; {@code maximum} is 0 to 65,535. */
    TopicAliases(int maximum, MemoryBudget memory) {
        this.maximum = maximum;
        this.memory = memory;
    }

    /**
     * The topic of a PUBLISH, which may set or use an alias.
     *
     * @throws ProtocolException for an alias above the maximum [MQTT-3.3.2-9], an alias that was not set, or an alias for which there is no
     *     memory
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
                    ReasonCode.TOPIC_ALIAS_INVALID,
                    "the topic alias is above the maximum of " + maximum,
                    new Limit("heddle.session.topic-alias-maximum", maximum));
        }
        if (topics == null) {
            topics = new @Nullable TopicName[maximum + 1];
        }
        if (topic != null) {
            set(topics, alias, topic);
            return topic;
        }
        TopicName known = topics[alias];
        if (known == null) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "the topic alias was not set on this connection");
        }
        return known;
    }

    private void set(@Nullable TopicName[] aliases, int alias, TopicName topic) {
        TopicName before = aliases[alias];
        if (topic.equals(before)) {
            return;
        }
        if (!memory.tryCharge(heldBytes(topic), 0)) {
            throw new ProtocolException(
                    ReasonCode.QUOTA_EXCEEDED, "the sessions' memory has no room for the topic alias", memory.limit());
        }
        if (before != null) {
            memory.release(heldBytes(before));
        }
        aliases[alias] = topic;
    }

    private static long heldBytes(TopicName topic) {
        return BYTES_PER_ALIAS + 2L * topic.value().length() + (long) BYTES_PER_LEVEL * topic.levelCount();
    }

    /** The connection is lost. */
    void end() {
        @Nullable TopicName[] aliases = topics;
        if (aliases == null) {
            return;
        }
        for (TopicName topic : aliases) {
            if (topic != null) {
                memory.release(heldBytes(topic));
            }
        }
        topics = null;
    }
}

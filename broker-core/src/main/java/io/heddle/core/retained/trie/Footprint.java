package io.heddle.core.retained.trie;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import org.jspecify.annotations.Nullable;

/**
 * Estimates memory: bytes of content plus a fixed overhead for each object. A limit on a client's bytes alone would not bound
 * memory, because a topic of 64 levels can be 127 bytes long. Estimates are deterministic, so that an added amount can be
 * subtracted again.
 */
public final class Footprint {
    /** The overhead of counting the topics of a client. */
    public static final long CREATOR = 64;

    private static final int MESSAGE = 64;
    private static final int NODE = 72;
    private static final int TEXT = 40;
    private static final int PROPERTIES = 40;

    private Footprint() {}

    static long ofNode(String level) {
        return NODE + bytes(level);
    }

    static long ofMessage(int payloadBytes, PublishProperties properties) {
        long bytes = MESSAGE + (long) payloadBytes;
        if (properties.equals(PublishProperties.NONE)) {
            return bytes;
        }
        bytes += PROPERTIES + ofText(properties.contentType());
        TopicName responseTopic = properties.responseTopic();
        if (responseTopic != null) {
            // The text, and its levels again.
            bytes += 2 * ofText(responseTopic.value()) + (long) TEXT * responseTopic.levelCount();
        }
        BinaryData correlationData = properties.correlationData();
        if (correlationData != null) {
            bytes += TEXT + correlationData.length();
        }
        for (UserProperty property : properties.userProperties()) {
            bytes += ofText(property.name()) + ofText(property.value());
        }
        return bytes;
    }

    private static long ofText(@Nullable String text) {
        return text == null ? 0 : TEXT + bytes(text);
    }

    /** A String uses two bytes per character if any character is outside Latin-1. */
    private static long bytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xFF) {
                return 2L * text.length();
            }
        }
        return text.length();
    }
}

package io.heddle.api.message;

import io.heddle.api.problem.FieldProblems;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Checks the text of requests like the MQTT codec checks that of packets. Adds what is wrong to the problems of the request. */
public final class MqttText {
    /** The longest text in a packet, in bytes of UTF-8. */
    private static final int MAXIMUM_BYTES = 65_535;

    private MqttText() {}

    /** Returns whether a packet may contain the text [MQTT-1.5.4-1] [MQTT-1.5.4-2]. */
    public static boolean isWellFormed(String text) {
        return text.indexOf('\0') < 0
                && StandardCharsets.UTF_8.newEncoder().canEncode(text)
                && text.getBytes(StandardCharsets.UTF_8).length <= MAXIMUM_BYTES;
    }

    /** Returns the topic name in a field, or null with a problem. */
    public static @Nullable TopicName topic(
            @Nullable String text, int maximumLevels, String field, FieldProblems problems) {
        if (text == null || !isWellFormed(text)) {
            problems.add(field, "Name a topic of at most 65,535 bytes of UTF-8.");
            return null;
        }
        try {
            return TopicName.parse(text, maximumLevels);
        } catch (ProtocolException wrong) {
            problems.add(field, "This is not a valid topic: " + wrong.getMessage() + ".");
            return null;
        }
    }

    /** Returns the topic filter in a field, without a shared subscription, or null with a problem. */
    public static @Nullable TopicFilter filter(
            @Nullable String text, int maximumLevels, String field, FieldProblems problems) {
        if (text == null || !isWellFormed(text)) {
            problems.add(field, "Name a topic filter of at most 65,535 bytes of UTF-8, such as plant/+/temperature.");
            return null;
        }
        try {
            TopicFilter filter = TopicFilter.parse(text, maximumLevels);
            problems.require(!filter.isShared(), field, "Name the topic filter without the shared subscription.");
            return filter;
        } catch (ProtocolException wrong) {
            problems.add(field, "This is not a valid topic filter: " + wrong.getMessage() + ".");
            return null;
        }
    }

    /** Returns the client id in a field, or null with a problem. */
    public static @Nullable ClientId clientId(@Nullable String text, String field, FieldProblems problems) {
        if (text == null || text.isEmpty() || !isWellFormed(text)) {
            problems.add(field, "Name a client id of 1 to 65,535 bytes of UTF-8.");
            return null;
        }
        return new ClientId(text);
    }
}

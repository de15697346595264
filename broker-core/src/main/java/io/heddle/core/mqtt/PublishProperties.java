package io.heddle.core.mqtt;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a PUBLISH or a Will Message that travel with the message to its subscribers. Topic Alias and Subscription
 * Identifiers are not included because they belong to one connection.
 *
 * @param messageExpirySeconds lifetime in seconds, 0 to 4,294,967,295, or {@link #NO_EXPIRY}
 * @param payloadIsUtf8 the Payload Format Indicator: true if the sender declares UTF-8 text, null if absent
 * @param contentType the Content Type, or null
 * @param responseTopic the Response Topic, or null
 * @param correlationData the Correlation Data, or null
 * @param userProperties in the sender's order [MQTT-3.3.2-18]
 */
public record PublishProperties(
        long messageExpirySeconds,
        @Nullable Boolean payloadIsUtf8,
        @Nullable String contentType,
        @Nullable TopicName responseTopic,
        @Nullable BinaryData correlationData,
        List<UserProperty> userProperties) {
    /** Absent Message Expiry Interval. */
    public static final long NO_EXPIRY = -1;

    /** Estimated bytes of an object besides its text. */
    private static final int HELD_BYTES = 80;

    /** No properties: every PUBLISH of MQTT 3.x and most of MQTT 5.0. */
    public static final PublishProperties NONE = new PublishProperties(NO_EXPIRY, null, null, null, null, List.of());

    public PublishProperties {
        userProperties = List.copyOf(userProperties);
    }

    /** Returns about how many bytes the properties hold; 0 for {@link #NONE}. */
    public int heldBytes() {
        if (equals(NONE)) {
            return 0;
        }
        int bytes = HELD_BYTES + length(contentType);
        if (responseTopic != null) {
            bytes += responseTopic.value().length();
        }
        if (correlationData != null) {
            bytes += correlationData.length();
        }
        for (int i = 0; i < userProperties.size(); i++) {
            UserProperty property = userProperties.get(i);
            bytes += HELD_BYTES + property.name().length() + property.value().length();
        }
        return bytes;
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    /** Returns a copy with another Message Expiry Interval. */
    public PublishProperties withMessageExpirySeconds(long seconds) {
        return new PublishProperties(
                seconds, payloadIsUtf8, contentType, responseTopic, correlationData, userProperties);
    }

    /** Returns a copy with a further User Property behind those of the sender. */
    public PublishProperties withUserProperty(UserProperty further) {
        List<UserProperty> all = new ArrayList<>(userProperties.size() + 1);
        all.addAll(userProperties);
        all.add(further);
        return new PublishProperties(
                messageExpirySeconds, payloadIsUtf8, contentType, responseTopic, correlationData, all);
    }
}

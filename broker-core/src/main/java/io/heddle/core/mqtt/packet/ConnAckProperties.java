package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties of CONNACK: the server's capabilities and decisions. Values equal to the standard's default are not encoded.
 *
 * @param sessionExpirySeconds the Session Expiry Interval in force if it differs from the client's request, or null
 * @param receiveMaximum 1 to 65,535
 * @param maximumQos the highest QoS of a PUBLISH and of a granted subscription
 * @param retainAvailable whether the server stores retained messages
 * @param maximumPacketSize the largest packet that the server accepts, in bytes
 * @param assignedClientId the client id assigned to a client that sent none, or null
 * @param topicAliasMaximum 0 to 65,535
 * @param reasonString for people and logs, or null
 * @param userProperties in order
 * @param wildcardSubscriptionAvailable whether topic filters may have wildcards
 * @param subscriptionIdentifiersAvailable whether SUBSCRIBE may carry an identifier
 * @param sharedSubscriptionAvailable whether shared subscriptions ({@code $share}) are supported
 * @param serverKeepAliveSeconds the Keep Alive in force if it differs from the client's, or null
 * @param responseInformation or null
 * @param serverReference another server to use, or null
 * @param authenticationMethod or null
 * @param authenticationData or null
 */
public record ConnAckProperties(
        @Nullable Long sessionExpirySeconds,
        int receiveMaximum,
        QoS maximumQos,
        boolean retainAvailable,
        long maximumPacketSize,
        @Nullable String assignedClientId,
        int topicAliasMaximum,
        @Nullable String reasonString,
        List<UserProperty> userProperties,
        boolean wildcardSubscriptionAvailable,
        boolean subscriptionIdentifiersAvailable,
        boolean sharedSubscriptionAvailable,
        @Nullable Integer serverKeepAliveSeconds,
        @Nullable String responseInformation,
        @Nullable String serverReference,
        @Nullable String authenticationMethod,
        @Nullable BinaryData authenticationData) {
    /** The standard's default for every property: none is encoded. */
    public static final ConnAckProperties NONE = ofReasonString(null);

    public ConnAckProperties {
        userProperties = List.copyOf(userProperties);
    }

    /** Returns defaults with a Reason String, for a refusal. */
    public static ConnAckProperties ofReasonString(@Nullable String reasonString) {
        return new ConnAckProperties(
                null,
                MqttPacket.MAXIMUM_UNSIGNED_SHORT,
                QoS.EXACTLY_ONCE,
                true,
                MqttPacket.MAXIMUM_UNSIGNED_INT,
                null,
                0,
                reasonString,
                List.of(),
                true,
                true,
                true,
                null,
                null,
                null,
                null,
                null);
    }
}

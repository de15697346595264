package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties of CONNACK: what this server can do and what it decided. Values that equal the standard's default are not
 * written.
 *
 * @param sessionExpirySeconds the Session Expiry Interval in force when it differs from the client's, or null
 * @param receiveMaximum 1 to 65,535
 * @param maximumQos the highest that PUBLISH may have and SUBSCRIBE is granted
 * @param retainAvailable whether retained messages are kept
 * @param maximumPacketSize in bytes: the largest packet this server accepts
 * @param assignedClientId the client id made for a client that sent none, or null
 * @param topicAliasMaximum 0 to 65,535
 * @param reasonString for people and logs, or null
 * @param userProperties in order
 * @param wildcardSubscriptionAvailable whether filters may have wildcards
 * @param subscriptionIdentifiersAvailable whether SUBSCRIBE may carry an identifier
 * @param sharedSubscriptionAvailable whether {@code $share} filters work
 * @param serverKeepAliveSeconds the Keep Alive in force when it differs from the client's, or null
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
    /** Nothing said: every value is the standard's default, so that none is written. */
    public static final ConnAckProperties NONE = ofReasonString(null);

    public ConnAckProperties {
        userProperties = List.copyOf(userProperties);
    }

    /** Only a Reason String, for a refusal. */
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

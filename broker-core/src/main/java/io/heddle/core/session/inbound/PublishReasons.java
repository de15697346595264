package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.publish.PublishOutcome;
import org.jspecify.annotations.Nullable;

/** The reason codes of PUBACK and PUBREC to a client of a version. Any thread. */
@HotPath
record PublishReasons(MqttVersion version) {
    /** MQTT 3.x has no negative acknowledgement: a refusal ends the connection, except that an unauthorized message is acknowledged. */
    boolean endsTheConnection(PublishOutcome.Refused refused) {
        return !version.hasProperties() && refused.reason() != ReasonCode.NOT_AUTHORIZED;
    }

    /** The failure of a message in its trace, or null. */
    static @Nullable String failure(PublishOutcome outcome) {
        return outcome instanceof PublishOutcome.Refused refused
                ? refused.reason().tag()
                : null;
    }

    /**
     * The reason code of PUBACK or PUBREC.
     *
     * @throws ProtocolException when the protocol version has no way to refuse the message
     */
    ReasonCode of(PublishOutcome outcome) {
        return switch (outcome) {
            case PublishOutcome.Routed routed ->
                routed.recipients() == 0 && version.hasProperties()
                        ? ReasonCode.NO_MATCHING_SUBSCRIBERS
                        : ReasonCode.SUCCESS;
            case PublishOutcome.Refused refused -> {
                if (endsTheConnection(refused)) {
                    // Without an acknowledgement the client still has the message and may repeat it.
                    throw ProtocolException.reported(refused.reason(), "the message was refused");
                }
                // An unauthorized message is acknowledged as if it had been published [MQTT-3.3.5-2 in MQTT 3.1.1].
                yield version.hasProperties() ? refused.reason() : ReasonCode.SUCCESS;
            }
            case PublishOutcome.Pending _ -> throw new IllegalStateException("the outcome is unknown");
        };
    }
}

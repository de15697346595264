package io.heddle.transport.codec;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;

/** Maps the return codes of MQTT 3.x to the broker's reason codes and back. */
final class ReturnCodes {
    private static final int SERVER_UNAVAILABLE = 3;

    private ReturnCodes() {}

    /**
     * Returns the CONNACK return code of MQTT 3.x, 0 to 5. Other reasons map to "server unavailable", because after a limit or a
     * fault the client may retry later.
     */
    static int ofConnAck(ReasonCode reason) {
        return switch (reason) {
            case SUCCESS -> 0;
            case UNSUPPORTED_PROTOCOL_VERSION -> 1;
            case CLIENT_IDENTIFIER_NOT_VALID -> 2;
            case BAD_USER_NAME_OR_PASSWORD, BAD_AUTHENTICATION_METHOD -> 4;
            case NOT_AUTHORIZED, BANNED -> 5;
            default -> SERVER_UNAVAILABLE;
        };
    }

    /**
     * Returns whether MQTT 3.x has a return code for a reason; a malformed packet, for example, is not answered [MQTT-3.1.4-1].
     */
    static boolean answersConnect(ReasonCode reason) {
        return switch (reason) {
            case SERVER_UNAVAILABLE, SERVER_BUSY, SERVER_SHUTTING_DOWN, QUOTA_EXCEEDED, CONNECTION_RATE_EXCEEDED ->
                true;
            default -> ofConnAck(reason) != SERVER_UNAVAILABLE;
        };
    }

    /** Returns the reason code of a CONNACK return code of MQTT 3.x. */
    static ReasonCode connAckReason(int returnCode) {
        return switch (returnCode) {
            case 0 -> ReasonCode.SUCCESS;
            case 1 -> ReasonCode.UNSUPPORTED_PROTOCOL_VERSION;
            case 2 -> ReasonCode.CLIENT_IDENTIFIER_NOT_VALID;
            case SERVER_UNAVAILABLE -> ReasonCode.SERVER_UNAVAILABLE;
            case 4 -> ReasonCode.BAD_USER_NAME_OR_PASSWORD;
            case 5 -> ReasonCode.NOT_AUTHORIZED;
            default -> throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "a reserved CONNACK return code");
        };
    }

    /** Returns the SUBACK return code of MQTT 3.x for one filter: the granted QoS or 0x80. */
    static int ofSubAck(ReasonCode reason) {
        return reason.isError() ? ReasonCode.UNSPECIFIED_ERROR.code() : reason.code();
    }
}

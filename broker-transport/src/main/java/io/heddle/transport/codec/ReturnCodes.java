package io.heddle.transport.codec;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;

/** The few answers that MQTT 3.x knows, and the reason codes that stand for them inside the broker. */
final class ReturnCodes {
    private static final int SERVER_UNAVAILABLE = 3;

    private ReturnCodes() {}

    /**
     * The CONNACK return code of MQTT 3.x, 0 to 5. Reasons without a code of their own say that the server is unavailable: the
     * client may try again later, which is true of limits and faults.
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

    /** Whether MQTT 3.x has a return code that says this; a broken packet, for one, is not answered [MQTT-3.1.4-1]. */
    static boolean answersConnect(ReasonCode reason) {
        return switch (reason) {
            case SERVER_UNAVAILABLE, SERVER_BUSY, SERVER_SHUTTING_DOWN, QUOTA_EXCEEDED, CONNECTION_RATE_EXCEEDED ->
                true;
            default -> ofConnAck(reason) != SERVER_UNAVAILABLE;
        };
    }

    /** The reason that a CONNACK return code of MQTT 3.x stands for. */
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

    /** What SUBACK of MQTT 3.x says for one filter: the granted QoS or 0x80. */
    static int ofSubAck(ReasonCode reason) {
        return reason.isError() ? ReasonCode.UNSPECIFIED_ERROR.code() : reason.code();
    }
}

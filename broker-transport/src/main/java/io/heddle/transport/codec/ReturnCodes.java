package io.heddle.transport.codec;

import io.heddle.core.mqtt.ReasonCode;

/** Maps the broker's reason codes to the return codes of MQTT 3.x. */
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

    /** Returns the SUBACK return code of MQTT 3.x for one filter: the granted QoS or 0x80. */
    static int ofSubAck(ReasonCode reason) {
        return reason.isError() ? ReasonCode.UNSPECIFIED_ERROR.code() : reason.code();
    }
}

package io.heddle.transport.websocket;

import io.heddle.core.mqtt.ReasonCode;

/** Status codes of a Close frame (RFC 6455, section 7.4.1). */
final class CloseStatus {
    static final int NORMAL = 1000;
    static final int GOING_AWAY = 1001;
    static final int PROTOCOL_ERROR = 1002;
    static final int UNSUPPORTED_DATA = 1003;
    static final int POLICY = 1008;
    static final int TOO_BIG = 1009;
    static final int INTERNAL_ERROR = 1011;
    static final int TRY_AGAIN_LATER = 1013;

    private static final int LAST = 4999;

    private CloseStatus() {}

    /** Returns the status that is nearest to a reason of MQTT. */
    static int of(ReasonCode reason) {
        return switch (reason) {
            case SERVER_SHUTTING_DOWN, USE_ANOTHER_SERVER, SERVER_MOVED -> GOING_AWAY;
            case MALFORMED_PACKET, PROTOCOL_ERROR -> PROTOCOL_ERROR;
            case PACKET_TOO_LARGE -> TOO_BIG;
            case SERVER_BUSY, SERVER_UNAVAILABLE, QUOTA_EXCEEDED -> TRY_AGAIN_LATER;
            case IMPLEMENTATION_SPECIFIC_ERROR, UNSPECIFIED_ERROR -> INTERNAL_ERROR;
            default -> reason.isError() ? POLICY : NORMAL;
        };
    }

    /** Returns the status that answers the client's: the same, or a protocol error if a Close frame may not have it. */
    static int answerTo(int status) {
        boolean isReserved = status == 1004 || status == 1005 || status == 1006 || status == 1015;
        return status < NORMAL || status > LAST || isReserved ? PROTOCOL_ERROR : status;
    }
}

package io.heddle.core.client;

import io.heddle.core.mqtt.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * Why the connection of a client has ended.
 *
 * @param reason the tag of a reason code, or one of those below
 * @param detail one clause for the operator, perhaps with text of the client; shortened
 * @param isLogged whether the end has a line at INFO: not if it is ordinary, or has another line
 */
public record DisconnectCause(String reason, String detail, boolean isLogged) {
    private static final int MAXIMUM_LENGTH = 200;

    /** The end of the TCP stream. */
    public static final DisconnectCause CLOSED_BY_CLIENT = new DisconnectCause(
            "closed_without_disconnect",
            "the client, or a network device, closed the connection without DISCONNECT",
            true);

    /** The log of the node has the stack trace. */
    public static final DisconnectCause FAULT =
            new DisconnectCause("internal_error", "an error of the server, see the log of the node", false);

    /** The client does not read. */
    public static final DisconnectCause UNREAD_OUTPUT = new DisconnectCause(
            "outbound_limit", "the client has not read its output, which exceeds heddle.mqtt.outbound-limit", false);

    public DisconnectCause {
        if (detail.length() > MAXIMUM_LENGTH) {
            detail = detail.substring(0, MAXIMUM_LENGTH) + "...";
        }
    }

    /** The network or the client has broken the connection. */
    public static DisconnectCause reset(Throwable failure) {
        String message = failure.getMessage();
        return new DisconnectCause(
                "connection_reset", message == null ? failure.getClass().getSimpleName() : message, true);
    }

    /** The client has sent DISCONNECT with this reason code. */
    public static DisconnectCause byClient(ReasonCode reason) {
        return new DisconnectCause(
                "disconnect_packet",
                String.format("the client sent DISCONNECT with reason code 0x%02x (%s)", reason.code(), reason.tag()),
                reason.isError());
    }

    /** The keep alive of the client has expired. */
    public static DisconnectCause silent(int keepAliveSeconds) {
        return new DisconnectCause(
                ReasonCode.KEEP_ALIVE_TIMEOUT.tag(),
                keepAliveSeconds == 0
                        ? "the client has no Keep Alive, and has not read its output for a long time"
                        : "no packet arrived in one and a half times the Keep Alive of " + keepAliveSeconds + " s",
                true);
    }

    /**
     * The server has ended the connection.
     *
     * @param detail null for the usual cause of the reason
     */
    public static DisconnectCause byServer(ReasonCode reason, @Nullable String detail) {
        return new DisconnectCause(
                reason.tag(), detail == null ? usual(reason) : detail, detail != null || !isReportedElsewhere(reason));
    }

    /** The transport has ended the connection. It logs violations itself, and the end of a node is ordinary. */
    public static DisconnectCause byTransport(ReasonCode reason, @Nullable String detail) {
        return new DisconnectCause(reason.tag(), detail == null ? usual(reason) : detail, false);
    }

    private static boolean isReportedElsewhere(ReasonCode reason) {
        return switch (reason) {
            case SESSION_TAKEN_OVER, QUOTA_EXCEEDED, RECEIVE_MAXIMUM_EXCEEDED -> true;
            default -> false;
        };
    }

    private static String usual(ReasonCode reason) {
        return switch (reason) {
            case ADMINISTRATIVE_ACTION -> "an administrator has disconnected the client";
            case NOT_AUTHORIZED ->
                "the credentials of the client were changed or removed, or changed rules deny a subscription";
            case SESSION_TAKEN_OVER -> "the client has connected again";
            case MAXIMUM_CONNECT_TIME -> "the credentials of the client have expired";
            case SERVER_BUSY -> "the client would miss messages, or a change of its session was not answered in time";
            case UNSPECIFIED_ERROR -> "a message or a change of the session could not be stored";
            case QUOTA_EXCEEDED, RECEIVE_MAXIMUM_EXCEEDED -> "the client exceeds a limit";
            default -> "the server has disconnected the client";
        };
    }
}

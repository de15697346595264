package io.heddle.transport.connection;

/**
 * A connection that is refused before its client speaks MQTT. Thrown or fired where it is detected, and handled in one place, the
 * pipeline's {@code ChannelFaults}. Stackless: a hostile client can cause it with every connection.
 */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ConnectionRefusal reason;

    /** @param detail one phrase for the log, which follows "because"; never contains data from the client */
    public RefusedException(ConnectionRefusal reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }

    public ConnectionRefusal reason() {
        return reason;
    }

    /** Returns the phrase for the log. */
    public String detail() {
        return String.valueOf(getMessage());
    }
}

package io.heddle.core.mqtt;

/**
 * A violation by the peer of the protocol or of an announced limit. Thrown where it is detected and answered in one place, the
 * transport's {@code ChannelFaults}. Stackless: it describes the peer's fault, and a hostile peer can cause it with every packet.
 */
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ReasonCode reason;

    /**
     * Creates the exception.
     *
     * @param reason the reason code for the peer, if its version has one
     * @param detail one phrase for the log and the Reason String; never contains data from the peer
     */
    public ProtocolException(ReasonCode reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }

    /** Returns the reason code for the peer. */
    public ReasonCode reason() {
        return reason;
    }

    /** Returns the phrase for the log and the Reason String. */
    public String detail() {
        return String.valueOf(getMessage());
    }
}

package io.heddle.core.mqtt;

/**
 * The peer broke the protocol or a limit that it was told of. Thrown where it is found, answered in one place (the
 * transport's channel faults). Stackless: it describes the peer's fault, not ours, and may be thrown at the rate at which a
 * hostile peer sends.
 */
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ReasonCode reason;

    /**
     * A fault of the peer.
     *
     * @param reason what the peer is answered, where its version can be answered
     * @param detail one phrase for the log and the Reason String; never contains what the peer sent
     */
    public ProtocolException(ReasonCode reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }

    /** What the peer is answered. */
    public ReasonCode reason() {
        return reason;
    }

    /** The phrase given at construction. */
    public String detail() {
        return String.valueOf(getMessage());
    }
}

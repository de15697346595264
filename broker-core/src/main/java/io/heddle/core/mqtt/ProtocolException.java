package io.heddle.core.mqtt;

import io.heddle.core.Limit;
import org.jspecify.annotations.Nullable;

/**
 * A violation by the peer of the protocol or of an announced limit. Thrown where it is detected and answered in one place, the
 * transport's {@code ChannelFaults}. Stackless: it describes the peer's fault, and a hostile peer can cause it with every packet.
 */
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ReasonCode reason;
    private final transient @Nullable Limit limit;
    private final boolean isReported;

    /**
     * @param reason the reason code for the peer, if its version has one
     * @param detail one phrase for the log and the Reason String; never contains data from the peer
     */
    public ProtocolException(ReasonCode reason, String detail) {
        this(reason, detail, null);
    }

    /**
     * Creates the exception for what a limit of this node refuses.
     *
     * @param reason the reason code for the peer, if its version has one
     * @param detail one phrase for the log and the Reason String; never contains data from the peer
     * @param limit for the log
     */
    public ProtocolException(ReasonCode reason, String detail, @Nullable Limit limit) {
        this(reason, detail, limit, false);
    }

    private ProtocolException(ReasonCode reason, String detail, @Nullable Limit limit, boolean isReported) {
        super(detail, null, false, false);
        this.reason = reason;
        this.limit = limit;
        this.isReported = isReported;
    }

    /** Returns the exception for a packet whose refusal is in the log already, with the limit that refuses it. */
    public static ProtocolException reported(ReasonCode reason, String detail) {
        return new ProtocolException(reason, detail, null, true);
    }

    /** Returns whether the log has a line about it already. */
    public boolean isReported() {
        return isReported;
    }

    public ReasonCode reason() {
        return reason;
    }

    /** Returns the limit of this node that the peer has exceeded, or null. */
    public @Nullable Limit limit() {
        return limit;
    }

    /** Returns the phrase for the log and the Reason String. */
    public String detail() {
        return String.valueOf(getMessage());
    }
}

package io.heddle.perf.load.wire;

/** The broker has violated the protocol or refused a request. Without a stack trace, since the generator is not at fault. */
public final class BrokerFaultException extends RuntimeException {
    private final String reason;

    /** The reason completes "the connection broke: …". */
    public BrokerFaultException(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }
}

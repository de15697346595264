package io.heddle.perf.load.wire;

/** The broker sent what it may not, or refused. Without a stack trace: it tells of the broker, not of the generator. */
public final class BrokerFaultException extends RuntimeException {
    private final String reason;

    /** Because of a reason that completes "the connection broke: …". */
    public BrokerFaultException(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }
}

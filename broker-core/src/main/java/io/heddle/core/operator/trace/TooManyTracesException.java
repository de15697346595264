package io.heddle.core.operator.trace;

/** A node has its maximum of traces, in all or of an administrator. Has no stack trace, because it is an expected outcome. */
public final class TooManyTracesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TooManyTracesException(String sentence) {
        super(sentence, null, false, false);
    }

    static TooManyTracesException ofNode(String node) {
        return new TooManyTracesException("The node " + node + " has its maximum of " + NodeTraces.MAXIMUM
                + " traces: wait until one has ended, or let an administrator with the role ADMIN end one.");
    }

    static TooManyTracesException ofAdministrator() {
        return new TooManyTracesException("You have " + NodeTraces.MAXIMUM_OF_ADMINISTRATOR
                + " traces, as many as an administrator may have: end one of them, or wait until one has ended.");
    }

    /** Returns a sentence for the administrator. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}

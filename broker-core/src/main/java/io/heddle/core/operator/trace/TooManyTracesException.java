package io.heddle.core.operator.trace;

/** A node has its maximum of traces. Has no stack trace, because it is an expected outcome. */
public final class TooManyTracesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyTracesException(String node) {
        super(
                "The node " + node + " has its maximum of " + NodeTraces.MAXIMUM
                        + " traces: end one of them, or wait until one has ended.",
                null,
                false,
                false);
    }

    /** Returns a sentence for the administrator. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}

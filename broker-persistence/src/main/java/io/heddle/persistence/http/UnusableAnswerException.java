package io.heddle.persistence.http;

import java.io.IOException;

/** A service has answered, but with nothing that says yes, no or not mine. */
final class UnusableAnswerException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final String REJECTED = "rejected";

    private final String outcome;

    private UnusableAnswerException(String outcome, String detail) {
        super(detail);
        this.outcome = outcome;
    }

    static UnusableAnswerException ofStatus(int status) {
        return new UnusableAnswerException("status", "the HTTP status is " + status);
    }

    /** The status says that the request is wrong, which depends on the values of the client. */
    static UnusableAnswerException rejected(int status) {
        return new UnusableAnswerException(REJECTED, "the HTTP status is " + status);
    }

    /** @param detail what the answer is or has */
    static UnusableAnswerException malformed(String detail) {
        return new UnusableAnswerException("malformed", "the answer " + detail);
    }

    /** Returns whether the service works, but does not accept the request about this client. */
    boolean isRejected() {
        return outcome.equals(REJECTED);
    }

    /** Returns the tag of the metric. */
    String outcome() {
        return outcome;
    }
}

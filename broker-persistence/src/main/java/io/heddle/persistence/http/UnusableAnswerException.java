package io.heddle.persistence.http;

import java.io.IOException;

/** A service has answered, but with nothing that says yes or no. */
final class UnusableAnswerException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String outcome;

    private UnusableAnswerException(String outcome, String detail) {
        super(detail);
        this.outcome = outcome;
    }

    static UnusableAnswerException ofStatus(int status) {
        return new UnusableAnswerException("status", "the HTTP status is " + status);
    }

    /** @param detail what the answer is or has */
    static UnusableAnswerException malformed(String detail) {
        return new UnusableAnswerException("malformed", "the answer " + detail);
    }

    /** Returns the tag of the metric. */
    String outcome() {
        return outcome;
    }
}

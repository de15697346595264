package io.heddle.persistence.jwt;

/** A token does not authenticate the client. Has no stack trace, because clients cause it. */
final class RefusedTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String detail;

    /** @param detail one clause for the operator, without text of the token */
    RefusedTokenException(String detail) {
        super(detail, null, false, false);
        this.detail = detail;
    }

    String detail() {
        return detail;
    }
}

package io.heddle.core.authentication;

/** Too many passwords wait to be checked; nothing was decided about this one. Answered with "server busy". */
public final class SignInBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Without a stack: floods cause it. */
    public SignInBusyException(String detail) {
        super(detail, null, false, false);
    }
}

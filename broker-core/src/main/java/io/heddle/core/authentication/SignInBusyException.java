package io.heddle.core.authentication;

/** Too many passwords are waiting for verification, so this one was not verified. Answered with "server busy". */
public final class SignInBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception without a stack trace, because floods cause it. */
    public SignInBusyException(String detail) {
        super(detail, null, false, false);
    }
}

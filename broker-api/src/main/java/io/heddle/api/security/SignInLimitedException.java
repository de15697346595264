package io.heddle.api.security;

import java.time.Duration;
import org.springframework.security.core.AuthenticationException;

/** Too many failures: nobody even looked at the password. */
final class SignInLimitedException extends AuthenticationException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    SignInLimitedException(Duration retryAfter) {
        super("too many failed attempts to sign in");
        this.retryAfter = retryAfter;
    }

    /** For the Retry-After header: whole seconds, rounded up. */
    long retryAfterSeconds() {
        return retryAfter.plusNanos(999_999_999).toSeconds();
    }
}

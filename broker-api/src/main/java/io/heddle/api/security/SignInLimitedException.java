package io.heddle.api.security;

import java.time.Duration;
import org.springframework.security.core.AuthenticationException;

/** A sign-in that was refused because of earlier failures, without a check of the password. */
final class SignInLimitedException extends AuthenticationException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    SignInLimitedException(Duration retryAfter) {
        super("too many failed attempts to sign in");
        this.retryAfter = retryAfter;
    }

    /** Returns whole seconds, rounded up, for the Retry-After header. */
    long retryAfterSeconds() {
        return retryAfter.plusNanos(999_999_999).toSeconds();
    }
}

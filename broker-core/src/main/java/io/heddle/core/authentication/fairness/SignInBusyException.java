package io.heddle.core.authentication.fairness;

import io.heddle.core.Limit;
import org.jspecify.annotations.Nullable;

/** Too many sign-ins wait, so this one was not decided. Answered with "server busy". */
public final class SignInBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Limit limit;

    /** Creates the exception without a stack trace, because floods cause it. */
    public SignInBusyException(String detail) {
        this(detail, null);
    }

    public SignInBusyException(String detail, @Nullable Limit limit) {
        super(detail, null, false, false);
        this.limit = limit;
    }

    /** Returns the exceeded limit, or null if it is unknown or there is none. */
    public @Nullable Limit limit() {
        return limit;
    }
}

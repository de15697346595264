package io.heddle.core;

import org.jspecify.annotations.Nullable;

/** A store answered that it does not take what it was given, and would answer the same the next time: a retry is of no use. */
public final class StoreRejectedException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    /**
     * A rejection.
     *
     * @param detail which store, what it was given and its answer, for the log; no secrets
     * @param cause what the client library threw, or null
     */
    public StoreRejectedException(String detail, @Nullable Throwable cause) {
        super(detail, cause);
    }
}

package io.heddle.core;

import org.jspecify.annotations.Nullable;

/** A store rejected a request permanently: a retry would get the same answer. */
public final class StoreRejectedException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    /**
     * @param detail the store, the request and its answer, for the log; no secrets
     * @param cause the client library's exception, or null
     */
    public StoreRejectedException(String detail, @Nullable Throwable cause) {
        super(detail, cause);
    }
}

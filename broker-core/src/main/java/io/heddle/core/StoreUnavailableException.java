package io.heddle.core;

import org.jspecify.annotations.Nullable;

/**
 * A store (Kafka, Redis, PostgreSQL) did not answer, or not in time. Thrown by the adapters of ports. The caller slows down,
 * refuses or retries; it must not treat the failure as success or as an empty result.
 */
public class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param detail the store and the request, for the log; no secrets
     * @param cause the client library's exception, or null
     */
    public StoreUnavailableException(String detail, @Nullable Throwable cause) {
        super(detail, cause);
    }
}

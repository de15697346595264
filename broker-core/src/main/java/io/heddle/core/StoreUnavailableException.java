package io.heddle.core;

import org.jspecify.annotations.Nullable;

/**
 * A store (Kafka, Redis, PostgreSQL) did not answer, or not in time. Thrown by the adapters of ports; the caller slows down,
 * refuses or retries, but never takes it for a "yes" or for "nothing found".
 */
public class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A store that cannot answer.
     *
     * @param detail which store and what was asked, for the log; no secrets
     * @param cause what the client library threw, or null
     */
    public StoreUnavailableException(String detail, @Nullable Throwable cause) {
        super(detail, cause);
    }
}

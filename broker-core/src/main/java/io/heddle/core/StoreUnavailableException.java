package io.heddle.core;

import org.jspecify.annotations.Nullable;

/**
 * A store (Kafka, Redis, PostgreSQL) did not answer, or not in time. Thrown by the adapters of ports. The caller slows down,
 * refuses or retries; it must not treat the failure as success or as an empty result.
 */
public class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String store;

    /**
     * Creates the exception. Its store is that of the cause.
     *
     * @param detail the store and the request, for the log; no secrets
     * @param cause the client library's exception, or null
     */
    public StoreUnavailableException(String detail, @Nullable Throwable cause) {
        this(storeOf(cause), detail, cause);
    }

    private StoreUnavailableException(@Nullable String store, String detail, @Nullable Throwable cause) {
        super(detail, cause);
        this.store = store;
    }

    /** Returns an exception because Kafka did not answer. */
    public static StoreUnavailableException kafka(String detail, @Nullable Throwable cause) {
        return new StoreUnavailableException("Kafka", detail, cause);
    }

    /** Returns an exception because Redis did not answer. */
    public static StoreUnavailableException redis(String detail, @Nullable Throwable cause) {
        return new StoreUnavailableException("Redis", detail, cause);
    }

    /** Returns an exception because PostgreSQL did not answer. */
    public static StoreUnavailableException postgres(String detail, @Nullable Throwable cause) {
        return new StoreUnavailableException("PostgreSQL", detail, cause);
    }

    /** Returns the name of the store for a person; null if another node did not answer, or if the store is not known. */
    public @Nullable String store() {
        return store;
    }

    private static @Nullable String storeOf(@Nullable Throwable cause) {
        Throwable next = cause;
        // Bounded, because causes may form a cycle.
        for (int depth = 0; next != null && depth < 10; depth++) {
            if (next instanceof StoreUnavailableException unavailable) {
                return unavailable.store;
            }
            next = next.getCause();
        }
        return null;
    }
}

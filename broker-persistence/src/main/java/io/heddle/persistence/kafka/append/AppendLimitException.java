package io.heddle.persistence.kafka.append;

/** Rejects an append because the pending appends exceed the limits of {@link PendingAppends}; the append was not started. */
final class AppendLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AppendLimitException() {
        super("pending appends to Kafka exceed heddle.kafka.pending-limit", null, false, false);
    }
}

package io.heddle.persistence.kafka;

/** More waits for Kafka than {@code heddle.kafka.pending-limit} allows by far: this append was not begun. */
final class AppendLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AppendLimitException() {
        super("more than twice heddle.kafka.pending-limit waits for Kafka's answer", null, false, false);
    }
}

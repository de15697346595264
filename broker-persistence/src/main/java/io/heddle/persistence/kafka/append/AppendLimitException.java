package io.heddle.persistence.kafka.append;

/** More waits for Kafka than {@code heddle.kafka.pending-limit} allows by far: this append was not begun. */
final class AppendLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AppendLimitException() {
        super("the appends that wait for Kafka's answer exceed heddle.kafka.pending-limit", null, false, false);
    }
}

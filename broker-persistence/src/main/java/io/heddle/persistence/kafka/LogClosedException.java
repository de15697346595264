package io.heddle.persistence.kafka;

/** The node stopped before Kafka answered: nobody knows whether it was appended. */
final class LogClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LogClosedException() {
        super("the node stopped before Kafka answered", null, false, false);
    }
}

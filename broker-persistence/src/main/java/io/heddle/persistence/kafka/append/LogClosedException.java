package io.heddle.persistence.kafka.append;

/** The node stopped before Kafka answered: nobody knows whether it was appended. */
public final class LogClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LogClosedException() {
        super("the node stopped before Kafka answered", null, false, false);
    }
}

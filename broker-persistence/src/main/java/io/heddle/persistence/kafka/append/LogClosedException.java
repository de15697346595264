package io.heddle.persistence.kafka.append;

/** The node stopped before Kafka answered, so it is unknown whether the record was appended. */
public final class LogClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LogClosedException() {
        super("the node stopped before Kafka answered", null, false, false);
    }
}

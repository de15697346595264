package io.heddle.persistence.kafka.append;

/** Something before it of the same publisher could not be written, so that it must not be either. */
final class BrokenOrderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokenOrderException() {
        super("an earlier message of the same publisher could not be written");
    }
}

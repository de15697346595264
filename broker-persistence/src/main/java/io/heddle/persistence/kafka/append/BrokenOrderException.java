package io.heddle.persistence.kafka.append;

/** Rejects a commit because an earlier commit of the same publisher failed, which preserves the publisher's order. */
final class BrokenOrderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokenOrderException() {
        super("an earlier message of the same publisher was not committed");
    }
}

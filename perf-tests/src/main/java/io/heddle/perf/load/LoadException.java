package io.heddle.perf.load;

/** A load cannot be run. The message is one sentence for the user: what, where, what to do. */
public final class LoadException extends RuntimeException {
    public LoadException(String message) {
        super(message);
    }

    public LoadException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.heddle.app.console;

/** Standard output cannot be written: it is closed, a pipe without a reader, or a file on a full disk. */
public final class UnwritableOutputException extends RuntimeException {
    UnwritableOutputException() {
        super(
                "standard output cannot be written, so a generated password, for instance, would be lost: redirect it to a terminal,"
                        + " to a file on a disk with free space, or to /dev/null");
    }
}

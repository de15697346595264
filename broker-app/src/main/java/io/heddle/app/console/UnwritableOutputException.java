package io.heddle.app.console;

/** Standard output takes nothing: it is closed, a pipe that nobody reads any more, or a file on a full disk. */
public final class UnwritableOutputException extends RuntimeException {
    UnwritableOutputException() {
        super(
                "standard output cannot be written, so nobody would see what is printed there, a generated password for instance:"
                        + " send it to a terminal, to a file on a disk that has room, or to /dev/null");
    }
}

package io.heddle.standalone;

import java.io.IOException;

/** A file of our own holds what we never wrote. The message is only why; whoever reads the file knows what it is for, and what to do. */
final class DamagedFileException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedFileException(String reason, Throwable cause) {
        super(reason, cause);
    }
}

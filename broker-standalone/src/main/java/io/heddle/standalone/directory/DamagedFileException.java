package io.heddle.standalone.directory;

import java.io.IOException;

/**
 * A file of Heddle has contents that Heddle never writes. The message is only the reason; the caller adds the file's purpose and the
 * remedy.
 */
public final class DamagedFileException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedFileException(String reason, Throwable cause) {
        super(reason, cause);
    }
}

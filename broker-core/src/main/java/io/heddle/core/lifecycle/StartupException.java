package io.heddle.core.lifecycle;

import org.jspecify.annotations.Nullable;

/** The broker cannot start for a reason that the operator can fix. */
public final class StartupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param sentence what failed, where, which setting and what to do, in one sentence; shown to the operator without a stack
     *     trace
     * @param cause for the log, or null
     */
    public StartupException(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}

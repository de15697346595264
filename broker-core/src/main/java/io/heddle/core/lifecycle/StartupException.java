package io.heddle.core.lifecycle;

import org.jspecify.annotations.Nullable;

/** The broker cannot start, and the operator can do something about it. */
public final class StartupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A reason not to start.
     *
     * @param sentence one sentence: what, where, which setting, what to do; shown to the operator without a stack trace
     * @param cause for the log, or null
     */
    public StartupException(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}

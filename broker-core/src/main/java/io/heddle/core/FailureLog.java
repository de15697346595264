package io.heddle.core;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Writes down what failed: in one line when a store did not answer, which is nobody's bug and may strike thousands of clients at
 * once; anything else with its stack, which a store's failure also has at the level debug.
 */
public final class FailureLog {
    private FailureLog() {}

    /**
     * A warning.
     *
     * @param what what failed, and for whom
     * @param failure why, or null when there is nothing more to say
     */
    public static void warn(Logger log, String what, @Nullable Throwable failure) {
        Throwable reason =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (reason instanceof StoreUnavailableException) {
            log.warn("{}: {}", what, inWords(reason));
            log.debug("{}", what, failure);
        } else {
            log.warn("{}", what, failure);
        }
    }

    /** Its message and those of its causes. */
    private static String inWords(Throwable failure) {
        StringBuilder words = new StringBuilder(String.valueOf(failure.getMessage()));
        Throwable cause = failure.getCause();
        while (cause != null) {
            String message = cause.getMessage();
            String more = message == null ? cause.getClass().getSimpleName() : message;
            if (words.indexOf(more) < 0) {
                words.append(": ").append(more);
            }
            cause = cause.getCause();
        }
        return words.toString();
    }
}

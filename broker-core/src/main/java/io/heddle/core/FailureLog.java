package io.heddle.core;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs failures of single clients: a store or a network that did not answer, which may affect thousands of clients at once, in one line with
 * the messages of its causes; an exception of the Java language itself, which is a bug, with its stack, which the others also have at the
 * level debug. Of each class that
 * logs, a few lines are written in each ten seconds ({@link LogPace}); the next line says how many were left out. Thread-safe.
 */
public final class FailureLog {
    // One entry for each logger that is used here, a few in all.
    private static final ConcurrentMap<String, LogPace> PACES = new ConcurrentHashMap<>();

    private FailureLog() {}

    /**
     * A warning.
     *
     * @param what what failed, and for whom
     * @param failure why, or null when there is nothing more to say
     */
    public static void warn(Logger log, String what, @Nullable Throwable failure) {
        warn(log, PACES.computeIfAbsent(log.getName(), _ -> new LogPace(System::nanoTime)), what, failure);
    }

    static void warn(Logger log, LogPace pace, String what, @Nullable Throwable failure) {
        int leftOut = pace.next();
        if (leftOut == LogPace.SILENT) {
            log.debug("{}", what, failure);
            return;
        }
        String line = leftOut == 0 ? what : what + " (and " + leftOut + " more failures since the last line)";
        Throwable reason = unwrapped(failure);
        if (reason != null && !isBug(reason)) {
            log.warn("{}: {}", line, inWords(reason));
            log.debug("{}", what, failure);
        } else {
            log.warn("{}", line, failure);
        }
    }

    /** Without what futures put around it. */
    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        Throwable reason = failure;
        while (reason instanceof CompletionException || reason instanceof ExecutionException) {
            Throwable cause = reason.getCause();
            if (cause == null) {
                return reason;
            }
            reason = cause;
        }
        return reason;
    }

    /** NullPointerException, IllegalStateException and the like; stores and clients of stores throw exceptions of their own. */
    private static boolean isBug(Throwable reason) {
        String type = reason.getClass().getPackageName();
        return type.equals("java.lang") || type.equals("java.util");
    }

    /** Its message and those of its causes. */
    private static String inWords(Throwable failure) {
        String own = failure.getMessage();
        StringBuilder words = new StringBuilder(own == null ? failure.getClass().getSimpleName() : own);
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

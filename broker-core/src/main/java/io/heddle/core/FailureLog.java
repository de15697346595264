package io.heddle.core;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs failures that affect single clients. A store or network failure, which may hit thousands of clients at once, is one line
 * with the messages of its causes. An exception of the Java language is a bug and is logged with its stack trace. At DEBUG every
 * failure has its stack trace. Each cause has a few lines a minute ({@link LogRateLimit}); its next line reports how many were
 * suppressed. Messages have the same cause if they agree up to their first value, and if their failures are of the same type. Thread-safe.
 * Bound: {@value #MAXIMUM_CAUSES} causes, above which those of a logger count as one.
 */
public final class FailureLog {
    static final int MAXIMUM_LINES = 3;
    static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int MAXIMUM_CAUSES = 1_000;

    private static final ConcurrentMap<Cause, LogRateLimit> LIMITS = new ConcurrentHashMap<>();

    record Cause(String logger, String text) {}

    private FailureLog() {}

    /**
     * @param message what failed, and then values such as {@code clientId=…}
     * @param failure the cause, or null if there is none
     */
    public static void warn(Logger log, String message, @Nullable Throwable failure) {
        Cause cause = cause(log.getName(), message, failure);
        if (LIMITS.size() >= MAXIMUM_CAUSES && !LIMITS.containsKey(cause)) {
            cause = new Cause(log.getName(), "");
        }
        warn(log, LIMITS.computeIfAbsent(cause, _ -> limit(System::nanoTime)), message, failure);
    }

    static Cause cause(String logger, String message, @Nullable Throwable failure) {
        int value = message.indexOf('=');
        String text = value < 0 ? message : message.substring(0, value);
        Throwable reason = unwrapped(failure);
        return new Cause(
                logger, reason == null ? text : text + ' ' + reason.getClass().getName());
    }

    static LogRateLimit limit(LongSupplier nanoTime) {
        return new LogRateLimit(MAXIMUM_LINES, WINDOW, nanoTime);
    }

    static void warn(Logger log, LogRateLimit limit, String message, @Nullable Throwable failure) {
        long suppressed = limit.acquire();
        if (suppressed == LogRateLimit.SUPPRESSED) {
            log.debug("{}", message, failure);
            return;
        }
        String line = suppressed == 0 ? message : message + " (" + suppressed + " more failures suppressed)";
        Throwable reason = unwrapped(failure);
        if (reason != null && !isBug(reason)) {
            log.warn("{}: {}", line, describe(reason));
            log.debug("{}", message, failure);
        } else {
            log.warn("{}", line, failure);
        }
    }

    /** Strips the wrappers that futures put around a failure. */
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

    /**
     * True for NullPointerException, IllegalStateException and the like; stores and their client libraries throw their own types.
     */
    private static boolean isBug(Throwable reason) {
        String type = reason.getClass().getPackageName();
        return type.equals("java.lang") || type.equals("java.util");
    }

    /** Joins the message of a failure and those of its causes. */
    private static String describe(Throwable failure) {
        String own = failure.getMessage();
        StringBuilder words = new StringBuilder(own == null ? failure.getClass().getSimpleName() : own);
        Throwable cause = failure.getCause();
        while (cause != null) {
            String text = cause.getMessage();
            String more = text == null ? cause.getClass().getSimpleName() : text;
            if (words.indexOf(more) < 0) {
                words.append(": ").append(more);
            }
            cause = cause.getCause();
        }
        return words.toString();
    }
}

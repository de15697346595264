package io.heddle.app.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.heddle.core.LogRateLimit;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Limits the warnings and errors of one cause, which are those of one logger with the same constant text: {@value #MAXIMUM_LINES} lines a
 * minute. Before the next one, a line says how many were left out. Whatever repeats for each message, client or second, of Heddle or of a
 * library, neither fills the log nor hides other causes. Any thread. Bound: {@value #MAXIMUM_CAUSES} causes, above which those of a logger
 * count as one.
 */
public final class RepeatedLines extends TurboFilter {
    static final int MAXIMUM_LINES = 10;
    static final int MAXIMUM_CAUSES = 1_000;
    static final Duration WINDOW = Duration.ofMinutes(1);

    private static final String LEFT_OUT = "Lines were left out because they repeat: lines={}, text={}";
    private static final String ARGUMENT = "{}";

    private final ConcurrentMap<Cause, LogRateLimit> limits = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    private record Cause(String logger, String text) {}

    /** Created by Logback. */
    public RepeatedLines() {
        this(System::nanoTime);
    }

    RepeatedLines(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            @Nullable Object @Nullable [] arguments,
            @Nullable Throwable failure) {
        // Called for each line of any level, also if the level is off, and without a format if only the level is asked
        // for.
        if (level.toInt() < Level.WARN_INT
                || format == null
                || format.equals(LEFT_OUT)
                || level.toInt() < logger.getEffectiveLevel().toInt()) {
            return FilterReply.NEUTRAL;
        }
        String text = constantText(format, arguments);
        long suppressed = limit(new Cause(logger.getName(), text)).acquire();
        if (suppressed == LogRateLimit.SUPPRESSED) {
            return FilterReply.DENY;
        }
        if (suppressed > 0) {
            logger.warn(LEFT_OUT, suppressed, text);
        }
        return FilterReply.NEUTRAL;
    }

    /** Lines begin with constant text. If the format has none, it is in the first argument, up to the first value. */
    private static String constantText(String format, @Nullable Object @Nullable [] arguments) {
        if (!format.startsWith(ARGUMENT) || arguments == null || arguments.length == 0) {
            return format;
        }
        String text = String.valueOf(arguments[0]);
        int value = text.indexOf('=');
        return value < 0 ? text : text.substring(0, value);
    }

    private LogRateLimit limit(Cause cause) {
        LogRateLimit found = limits.get(cause);
        if (found != null) {
            return found;
        }
        Cause counted = limits.size() < MAXIMUM_CAUSES ? cause : new Cause(cause.logger(), "");
        return limits.computeIfAbsent(counted, _ -> new LogRateLimit(MAXIMUM_LINES, WINDOW, nanoTime));
    }
}

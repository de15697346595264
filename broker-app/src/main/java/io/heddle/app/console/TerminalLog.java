package io.heddle.app.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Which lines of the log a person on the terminal sees: Heddle's own warnings, and everybody's errors. While the broker starts,
 * none: either it starts, or one sentence says why it does not. Any thread.
 */
public final class TerminalLog extends Filter<ILoggingEvent> {
    private static final String OWN = "io.heddle.";
    private static volatile boolean shown;

    /** From now on lines are shown, or not. They are not before the first call. */
    public static void show(boolean shown) {
        TerminalLog.shown = shown;
    }

    static boolean isShown() {
        return shown;
    }

    @Override
    public FilterReply decide(ILoggingEvent event) {
        Level least = event.getLoggerName().startsWith(OWN) ? Level.WARN : Level.ERROR;
        return shown && event.getLevel().isGreaterOrEqual(least) ? FilterReply.NEUTRAL : FilterReply.DENY;
    }
}

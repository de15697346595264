package io.heddle.app.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Filter for log lines on the terminal: warnings of Heddle and errors of any library pass. During the start no line passes, because a failed
 * start prints one sentence. Any thread.
 */
public final class TerminalLog extends Filter<ILoggingEvent> {
    private static final String OWN = "io.heddle.";
    private static volatile boolean shown;

    /** Shows or hides lines from now on. Initially they are hidden. */
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

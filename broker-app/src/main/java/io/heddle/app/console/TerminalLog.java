package io.heddle.app.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import io.heddle.core.lifecycle.StartupPhase;
import java.util.List;
import org.slf4j.Marker;

/**
 * Filter for log lines on the terminal: warnings of Heddle and errors of any library pass. During the start only lines marked {@link
 * StartupPhase#WAITING} pass, because a failed start prints one sentence. Any thread.
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
        boolean passes = event.getLevel().isGreaterOrEqual(least) && (shown || isMarked(event));
        return passes ? FilterReply.NEUTRAL : FilterReply.DENY;
    }

    private static boolean isMarked(ILoggingEvent event) {
        List<Marker> markers = event.getMarkerList();
        return markers != null && markers.contains(StartupPhase.WAITING);
    }
}

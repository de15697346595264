package io.heddle.app.console;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import ch.qos.logback.core.status.StatusManager;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * Errors of logging itself, a full disk for instance: prints at most one line a minute to the terminal. Logback would print a stack trace for
 * each line that it cannot write. Any thread.
 */
public final class LogTrouble implements StatusListener {
    private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanoTime;
    private final Consumer<String> terminal;
    private final AtomicLong quietUntilNanos;

    LogTrouble(LongSupplier nanoTime, Consumer<String> terminal) {
        this.nanoTime = nanoTime;
        this.terminal = terminal;
        this.quietUntilNanos = new AtomicLong(nanoTime.getAsLong());
    }

    /** Replaces all status listeners of this process's logging. */
    public static void listen() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging) {
            StatusManager status = logging.getStatusManager();
            status.getCopyOfStatusListenerList().forEach(status::remove);
            status.add(new LogTrouble(System::nanoTime, Console::printError));
        }
    }

    @Override
    public void addStatusEvent(Status status) {
        if (status.getEffectiveLevel() < Status.WARN || !TerminalLog.isShown()) {
            return;
        }
        long now = nanoTime.getAsLong();
        long quietUntil = quietUntilNanos.get();
        if (now - quietUntil >= 0 && quietUntilNanos.compareAndSet(quietUntil, now + PAUSE_NANOS)) {
            Throwable cause = status.getThrowable();
            terminal.accept(
                    "Logging fails: " + status.getMessage() + (cause == null ? "" : " (" + cause.getMessage() + ")"));
        }
    }
}

package io.heddle.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import ch.qos.logback.core.status.ErrorStatus;
import ch.qos.logback.core.status.InfoStatus;
import ch.qos.logback.core.status.Status;
import io.heddle.core.lifecycle.StartupPhase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TerminalLogTest {
    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE);
    private final List<String> terminal = new ArrayList<>();
    private final LogTrouble trouble = new LogTrouble(nanoTime::get, terminal::add);

    @BeforeEach
    void started() {
        TerminalLog.show(true);
    }

    @AfterEach
    void asBefore() {
        TerminalLog.show(false);
    }

    private static boolean isShown(String logger, Level level) {
        Logger source = new LoggerContext().getLogger(logger);
        LoggingEvent event = new LoggingEvent(Logger.FQCN, source, level, "text", null, null);
        return new TerminalLog().decide(event) != FilterReply.DENY;
    }

    private static Status diskFull() {
        return new ErrorStatus("IO failure while writing to file [x]", "x", new IOException("No space left on device"));
    }

    @Test
    void warningsOfHeddleAndErrorsOfAnyLibraryAreShown() {
        assertThat(isShown("io.heddle.standalone.process.SupervisedProcess", Level.WARN))
                .isTrue();
        assertThat(isShown("io.heddle.standalone.process.SupervisedProcess", Level.INFO))
                .isFalse();
        assertThat(isShown("com.zaxxer.hikari.pool.PoolBase", Level.WARN)).isFalse();
        assertThat(isShown("com.zaxxer.hikari.pool.PoolBase", Level.ERROR)).isTrue();
    }

    @Test
    void aLineThatExplainsALongStartIsShownDuringTheStart() {
        TerminalLog.show(false);
        Logger source = new LoggerContext().getLogger("io.heddle.persistence.kafka.StartDeadline");
        LoggingEvent event = new LoggingEvent(Logger.FQCN, source, Level.WARN, "Kafka is slow", null, null);
        assertThat(new TerminalLog().decide(event)).isEqualTo(FilterReply.DENY);

        event.addMarker(StartupPhase.WAITING);

        assertThat(new TerminalLog().decide(event)).isEqualTo(FilterReply.NEUTRAL);
    }

    @Test
    void noOtherLinesAreShownDuringTheStart() {
        TerminalLog.show(false);

        assertThat(isShown("io.heddle.standalone.process.SupervisedProcess", Level.ERROR))
                .isFalse();
        trouble.addStatusEvent(diskFull());
        assertThat(terminal).isEmpty();
    }

    @Test
    void aFailureOfLoggingIsReportedOnceAMinute() {
        trouble.addStatusEvent(new InfoStatus("all is well", "x"));
        assertThat(terminal).isEmpty();

        trouble.addStatusEvent(diskFull());
        trouble.addStatusEvent(diskFull());
        assertThat(terminal)
                .containsExactly("Logging fails: IO failure while writing to file [x] (No space left on device)");

        nanoTime.addAndGet(Duration.ofSeconds(59).toNanos());
        trouble.addStatusEvent(diskFull());
        assertThat(terminal).hasSize(1);

        nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
        trouble.addStatusEvent(diskFull());
        assertThat(terminal).hasSize(2);
    }
}

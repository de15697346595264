package io.heddle.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RepeatedLinesTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = context.getLogger("io.heddle.x");

    RepeatedLinesTest() {
        lines.start();
        context.getLogger("ROOT").addAppender(lines);
        context.addTurboFilter(new RepeatedLines(nanos::get));
    }

    private List<String> texts() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void aWarningThatRepeatsHasFewLinesAndTheOthersAreCounted() {
        for (int i = 0; i < 4_040; i++) {
            log.warn("Messages were dropped: topics={}", i);
        }
        assertThat(lines.list).hasSize(RepeatedLines.MAXIMUM_LINES);

        nanos.addAndGet(RepeatedLines.WINDOW.toNanos());
        log.warn("Messages were dropped: topics={}", "last");

        assertThat(texts())
                .endsWith(
                        "Lines were left out because they repeat: lines=4030, text=Messages were dropped: topics={}",
                        "Messages were dropped: topics=last");
    }

    @Test
    void anotherCauseIsNotSuppressed() {
        for (int i = 0; i < 100; i++) {
            log.warn("{}: {}", "Cannot open, clientId=" + i, "no answer");
        }

        log.warn("{}: {}", "Cannot close, clientId=1", "no answer");
        log.error("Disk is full");
        context.getLogger("io.heddle.y").warn("{}: {}", "Cannot open, clientId=1", "no answer");

        assertThat(lines.list).hasSize(RepeatedLines.MAXIMUM_LINES + 3);
    }

    @Test
    void linesAtInfoAndLinesThatAreOffDoNotCount() {
        context.getLogger("library").setLevel(Level.ERROR);
        for (int i = 0; i < 100; i++) {
            log.info("A client");
            context.getLogger("library").warn("not shown");
        }
        context.getLogger("library").setLevel(Level.WARN);
        context.getLogger("library").warn("not shown");

        assertThat(lines.list).hasSize(101);
    }

    @Test
    void manyDifferentTextsHoldLittleMemory() {
        for (int i = 0; i < 5_000; i++) {
            log.warn("text " + i);
        }

        assertThat(lines.list).hasSize(RepeatedLines.MAXIMUM_CAUSES + RepeatedLines.MAXIMUM_LINES);
    }
}

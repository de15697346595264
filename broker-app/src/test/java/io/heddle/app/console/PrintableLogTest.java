package io.heddle.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Text from clients cannot forge log lines or terminal output. */
final class PrintableLogTest {
    private static String line(String message, @Nullable Throwable thrown) {
        LoggerContext context = new LoggerContext();
        PatternLayout layout = new PatternLayout();
        layout.setContext(context);
        layout.getInstanceConverterMap().put("printable", PrintableMessage::new);
        layout.getInstanceConverterMap().put("printableStack", PrintableStack::new);
        layout.setPattern("%printable%n%printableStack");
        layout.start();
        return layout.doLayout(
                new LoggingEvent(Logger.FQCN, context.getLogger("x"), Level.WARN, message, thrown, null));
    }

    @Test
    void messagesAreEscaped() {
        assertThat(line("clientId=a\nERROR forged \u202Eesrever\u2028next\u0085", null))
                .isEqualTo("clientId=a\\u000aERROR forged \\u202eesrever\\u2028next\\u0085" + System.lineSeparator());
    }

    @Test
    void stackTracesKeepTheirLinesAndTheirMessagesAreEscaped() {
        String text = line("failed", new IllegalStateException("a\nERROR forged", new RuntimeException("b\u202E")));

        assertThat(text)
                .contains("IllegalStateException: a\\u000aERROR forged")
                .contains(System.lineSeparator() + "\tat io.heddle.")
                .contains(System.lineSeparator() + "Caused by: java.lang.RuntimeException: b\\u202e");
    }
}

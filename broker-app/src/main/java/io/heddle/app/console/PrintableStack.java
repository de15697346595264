package io.heddle.app.console;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;
import io.heddle.core.mqtt.ControlCharacters;
import java.util.regex.Pattern;

/** A stack trace, escaped so that the messages of its exceptions cannot forge lines or terminal output. */
public final class PrintableStack extends ThrowableProxyConverter {
    /** Line breaks of the stack trace itself, which precede a frame, a cause or the end. */
    private static final Pattern OWN_BREAK = Pattern.compile("\\R(?=\t|Caused by: |Wrapped by: |$)");

    @Override
    protected String throwableProxyToString(IThrowableProxy thrown) {
        String stack = super.throwableProxyToString(thrown);
        String[] lines = OWN_BREAK.split(stack, -1);
        StringBuilder printable = new StringBuilder(stack.length());
        for (int i = 0; i < lines.length; i++) {
            printable.append(i == 0 ? "" : System.lineSeparator()).append(ControlCharacters.escaped(lines[i]));
        }
        return printable.toString();
    }
}

package io.heddle.app.console;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.heddle.core.mqtt.ControlCharacters;

/** The message of a log line, escaped so that text from a client, its id for instance, cannot forge lines or terminal output. */
public final class PrintableMessage extends MessageConverter {
    @Override
    public String convert(ILoggingEvent event) {
        String message = super.convert(event);
        return message == null ? "" : ControlCharacters.escaped(message);
    }
}

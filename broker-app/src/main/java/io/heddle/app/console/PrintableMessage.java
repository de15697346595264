package io.heddle.app.console;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.heddle.core.mqtt.ControlCharacters;

/** The message of a log line, in which what a client sent, its id for instance, can neither begin a line nor rearrange it. */
public final class PrintableMessage extends MessageConverter {
    @Override
    public String convert(ILoggingEvent event) {
        String message = super.convert(event);
        return message == null ? "" : ControlCharacters.escaped(message);
    }
}

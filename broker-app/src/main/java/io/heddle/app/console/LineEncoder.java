package io.heddle.app.console;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.logback.StructuredLogEncoder;

/** Writes log lines in a pattern; as JSON, if there is a format of Spring Boot's structured logging. Logback creates it. Any thread. */
public final class LineEncoder extends EncoderBase<ILoggingEvent> {
    private static final byte[] NOTHING = {};

    private String pattern = "";
    private String format = "";
    private @Nullable Encoder<ILoggingEvent> encoder;

    public void setPattern(String pattern) {
        this.pattern = pattern;
    }

    /** @param format empty for the pattern */
    public void setFormat(String format) {
        this.format = format;
    }

    @Override
    public void start() {
        Encoder<ILoggingEvent> created = format.isEmpty() ? plain() : structured();
        created.setContext(getContext());
        created.start();
        encoder = created;
        super.start();
    }

    private Encoder<ILoggingEvent> plain() {
        PatternLayoutEncoder plain = new PatternLayoutEncoder();
        plain.setPattern(pattern);
        return plain;
    }

    private Encoder<ILoggingEvent> structured() {
        StructuredLogEncoder structured = new StructuredLogEncoder();
        structured.setFormat(format);
        return structured;
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        return encoder == null ? NOTHING : encoder.encode(event);
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}

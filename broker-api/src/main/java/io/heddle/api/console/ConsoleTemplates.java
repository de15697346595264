package io.heddle.api.console;

import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.loader.ClasspathLoader;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The templates of the pages. Values are escaped; a template that needs something else must say so. Thread-safe. */
final class ConsoleTemplates {
    private final PebbleEngine engine;

    ConsoleTemplates() {
        ClasspathLoader files = new ClasspathLoader(ConsoleTemplates.class.getClassLoader());
        files.setPrefix("io/heddle/api/console");
        files.setSuffix(".peb");
        engine = new PebbleEngine.Builder()
                .loader(files)
                .extension(new ConsoleFormats(InstantSource.system()))
                .autoEscaping(true)
                .defaultLocale(Locale.ROOT)
                .build();
    }

    String render(String template, Map<String, @Nullable Object> values) {
        StringWriter page = new StringWriter(16_384);
        try {
            engine.getTemplate(template).evaluate(page, values);
        } catch (IOException notFromMemory) {
            throw new UncheckedIOException(notFromMemory);
        }
        return page.toString();
    }
}

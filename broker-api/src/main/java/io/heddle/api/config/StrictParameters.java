package io.heddle.api.config;

import java.beans.PropertyEditorSupport;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/**
 * Reads parameters as strictly as bodies. Spring would take yes and on for true, and numbers in hexadecimal: what an administrator did not mean
 * must not replace credentials. These are editors, because Spring tries its own lenient ones when a converter fails.
 */
@ControllerAdvice
final class StrictParameters {
    @InitBinder
    void register(WebDataBinder binder) {
        binder.registerCustomEditor(boolean.class, new Editor(StrictParameters::flag));
        binder.registerCustomEditor(int.class, new Editor(StrictParameters::number));
        binder.registerCustomEditor(UUID.class, new Editor(StrictParameters::id));
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }

    private static int number(String text) {
        // No more digits than an int has.
        if (!text.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("not a decimal number");
        }
        return Integer.parseInt(text);
    }

    private static UUID id(String text) {
        UUID id = UUID.fromString(text);
        if (!id.toString().equalsIgnoreCase(text)) {
            throw new IllegalArgumentException("an id with fewer digits");
        }
        return id;
    }

    private static final class Editor extends PropertyEditorSupport {
        private final Function<String, Object> parser;

        private Editor(Function<String, Object> parser) {
            this.parser = parser;
        }

        @Override
        public void setAsText(String text) {
            setValue(parser.apply(text));
        }
    }
}

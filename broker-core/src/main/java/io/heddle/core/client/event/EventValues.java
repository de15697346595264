package io.heddle.core.client.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the named values that describe an event, in the order in which they are shown. A value is a text, a number, a truth value, or a list or
 * a map of values. Absent ones are left out, and long ones are cut. One thread.
 */
public final class EventValues {
    /** The length of a list. */
    public static final int MAXIMUM_ITEMS = 32;

    private static final int MAXIMUM_CHARACTERS = 1_000;

    private final Map<String, Object> values = new LinkedHashMap<>();

    /** Adds a value, unless it is null. */
    public EventValues with(String name, @Nullable Object value) {
        switch (value) {
            case null -> {}
            case Integer number -> values.put(name, number.longValue());
            case String text -> values.put(name, cut(text));
            case List<?> items -> values.put(name, items.subList(0, Math.min(items.size(), MAXIMUM_ITEMS)));
            default -> values.put(name, value);
        }
        return this;
    }

    /** Adds a text that has a bound of its own. */
    public EventValues withWhole(String name, String text) {
        values.put(name, text);
        return this;
    }

    /** Adds a map, unless it is empty. */
    public EventValues with(String name, EventValues inner) {
        if (!inner.values.isEmpty()) {
            values.put(name, inner.values);
        }
        return this;
    }

    /** Adds all values of others. */
    public EventValues withAll(EventValues others) {
        values.putAll(others.values);
        return this;
    }

    /** Returns the values, which further calls change. */
    public Map<String, Object> toMap() {
        return values;
    }

    private static String cut(String text) {
        return text.length() <= MAXIMUM_CHARACTERS
                ? wellFormed(text)
                : wellFormed(text.substring(0, MAXIMUM_CHARACTERS)) + "...";
    }

    /** Replaces half characters, which cuts leave, and of which neither UTF-8 nor JSON can be written. */
    private static String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return new String(text.getBytes(UTF_8), UTF_8);
            }
        }
        return text;
    }
}

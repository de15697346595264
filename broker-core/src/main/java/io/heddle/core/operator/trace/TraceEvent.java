package io.heddle.core.operator.trace;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that a trace shows: named values in the order in which they are shown. A value is a text, a number, a truth value, or a list or a map
 * of values. Immutable.
 *
 * @param millis the time of day at the node, in milliseconds since 1970
 */
public record TraceEvent(long millis, Map<String, Object> values) {
    static final String EVENT = "event";
    static final String NODE = "node";
    static final String REASON = "reason";
    static final String DETAIL = "detail";

    private static final int MAXIMUM_CHARACTERS = 1_000;
    static final int MAXIMUM_ITEMS = 32;
    private static final int HELD_BYTES = 40;
    private static final int ENTRY_BYTES = 48;

    public TraceEvent {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Returns the event with the node where it has happened, as the first value. */
    TraceEvent at(String node) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(NODE, node);
        all.putAll(values);
        return new TraceEvent(millis, all);
    }

    /** Returns about how many bytes it occupies. */
    int heldBytes() {
        return heldBytes(values);
    }

    private static int heldBytes(Object value) {
        int bytes = HELD_BYTES;
        switch (value) {
            case String text -> bytes += 2 * text.length();
            case List<?> items -> {
                for (Object each : items) {
                    bytes += heldBytes(each);
                }
            }
            case Map<?, ?> members -> {
                for (Object each : members.values()) {
                    bytes += ENTRY_BYTES + heldBytes(each);
                }
            }
            default -> {}
        }
        return bytes;
    }

    /** Gathers values; absent ones are left out, and long ones are cut. One thread. */
    static final class Values {
        private final Map<String, Object> values = new LinkedHashMap<>();

        Values with(String name, @Nullable Object value) {
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
        Values withWhole(String name, String text) {
            values.put(name, text);
            return this;
        }

        /** Adds a map, unless it is empty. */
        Values with(String name, Values inner) {
            if (!inner.values.isEmpty()) {
                values.put(name, inner.values);
            }
            return this;
        }

        Values withAll(Values others) {
            values.putAll(others.values);
            return this;
        }

        Map<String, Object> toMap() {
            return values;
        }

        TraceEvent at(long millis) {
            return new TraceEvent(millis, values);
        }

        private static String cut(String text) {
            return text.length() <= MAXIMUM_CHARACTERS ? text : text.substring(0, MAXIMUM_CHARACTERS) + "...";
        }
    }
}

package io.heddle.core.operator.trace;

import io.heddle.core.client.event.EventValues;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    private static final int HELD_BYTES = 40;
    private static final int ENTRY_BYTES = 48;

    TraceEvent(long millis, EventValues values) {
        this(millis, values.toMap());
    }

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
}

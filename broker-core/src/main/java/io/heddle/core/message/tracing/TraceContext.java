package io.heddle.core.message.tracing;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The user properties of a message that name its place in a trace.
 *
 * @param traceparent as sent, perhaps malformed
 * @param tracestate as sent; null if there is none, or more than one
 * @param isSampled whether the context is valid and its sender records the trace
 */
@HotPath
public record TraceContext(String traceparent, @Nullable String tracestate, boolean isSampled) {
    /** The name of the user property with the ids of the trace and of the parent. */
    public static final String TRACEPARENT = "traceparent";

    /** The name of the user property with values of tracing systems. */
    public static final String TRACESTATE = "tracestate";

    // version "-" trace-id "-" parent-id "-" trace-flags, in hexadecimal digits
    private static final int VERSION_END = 2;
    private static final int TRACE_ID_END = 35;
    private static final int PARENT_ID_END = 52;
    private static final int LENGTH = 55;

    /** Returns the context, or null if no property has the name traceparent. A context that is named twice is not sampled. */
    public static @Nullable TraceContext find(List<UserProperty> properties) {
        String traceparent = null;
        String tracestate = null;
        int parents = 0;
        int states = 0;
        for (int i = 0; i < properties.size(); i++) {
            UserProperty property = properties.get(i);
            if (property.name().equals(TRACEPARENT)) {
                traceparent = property.value();
                parents++;
            } else if (property.name().equals(TRACESTATE)) {
                tracestate = property.value();
                states++;
            }
        }
        return traceparent == null
                ? null
                : new TraceContext(
                        traceparent, states == 1 ? tracestate : null, parents == 1 && isSampled(traceparent));
    }

    private static boolean isSampled(String text) {
        return isWellFormed(text)
                && isHex(text, 0, VERSION_END)
                && isId(text, VERSION_END + 1, TRACE_ID_END)
                && isId(text, TRACE_ID_END + 1, PARENT_ID_END)
                && isHex(text, PARENT_ID_END + 1, LENGTH)
                && (Character.digit(text.charAt(LENGTH - 1), 16) & 1) == 1;
    }

    /** Later versions may append fields; the version ff is forbidden. */
    private static boolean isWellFormed(String text) {
        return text.length() >= LENGTH
                && (text.length() == LENGTH || (!text.startsWith("00") && text.charAt(LENGTH) == '-'))
                && !text.startsWith("ff")
                && text.charAt(VERSION_END) == '-'
                && text.charAt(TRACE_ID_END) == '-'
                && text.charAt(PARENT_ID_END) == '-';
    }

    /** Returns whether there are lower-case digits, not all of them zero. */
    private static boolean isId(String text, int from, int to) {
        boolean isZero = true;
        for (int i = from; i < to; i++) {
            isZero &= text.charAt(i) == '0';
        }
        return !isZero && isHex(text, from, to);
    }

    private static boolean isHex(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char digit = text.charAt(i);
            if ((digit < '0' || digit > '9') && (digit < 'a' || digit > 'f')) {
                return false;
            }
        }
        return true;
    }
}

package io.heddle.app.admin.message;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bodies of requests. */
final class Bodies {
    private Bodies() {}

    /** Returns the members that are given, in their order. */
    static Map<String, Object> withoutNulls(Map<String, @Nullable Object> members) {
        Map<String, Object> given = new LinkedHashMap<>();
        members.forEach((name, value) -> {
            if (value != null) {
                given.put(name, value);
            }
        });
        return given;
    }
}

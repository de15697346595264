package io.heddle.app.admin.request;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON object of a request. Immutable.
 *
 * @param members in the order of their addition
 */
public record Body(Map<String, Object> members) {
    /** Returns an object without members. */
    public static Body empty() {
        return new Body(Map.of());
    }

    /** Adds a member, unless its value is null. */
    public Body with(String name, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        Map<String, Object> more = new LinkedHashMap<>(members);
        more.put(name, value);
        return new Body(more);
    }

    /** Adds a member in upper case, as the constants of the REST API are, unless its value is null. */
    public Body withUpper(String name, @Nullable String value) {
        return with(name, value == null ? null : value.toUpperCase(Locale.ROOT));
    }
}

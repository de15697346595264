package io.heddle.app.admin.output;

import java.util.Locale;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * A column of a table.
 *
 * @param head in upper case
 * @param text the cell of an object, before it is escaped; empty if the object has no such value
 */
public record Column(String head, Function<JsonNode, String> text) {
    private static final long NEVER_EXPIRES = 0xFFFF_FFFFL;
    private static final int SHOWN_CHARACTERS = 60;
    private static final String[] UNITS = {" B", " KB", " MB", " GB", " TB"};
    private static final int UNIT = 1024;

    /** @param path names of members, separated by dots */
    public static Column of(String head, String path) {
        return new Column(head, object -> at(object, path).asString(""));
    }

    /** A column of enum values, in lower case. */
    public static Column lower(String head, String path) {
        return new Column(
                head,
                object -> at(object, path).asString("").toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** A column of numbers of bytes, such as 1.5 MB. */
    public static Column bytes(String head, String path) {
        return new Column(head, object -> {
            JsonNode value = at(object, path);
            return value.isNumber() ? bytes(value.asLong()) : "";
        });
    }

    public static Column expiry(String head, String path) {
        return new Column(head, object -> {
            JsonNode value = at(object, path);
            long seconds = value.asLong(0);
            return !value.isNumber() || seconds == 0 ? "" : seconds == NEVER_EXPIRES ? "never" : seconds + " s";
        });
    }

    /** A column of texts that may be long and are cut. */
    public static Column excerpt(String head, Function<JsonNode, String> text) {
        return new Column(head, object -> {
            String whole = text.apply(object);
            return whole.codePointCount(0, whole.length()) <= SHOWN_CHARACTERS
                    ? whole
                    : whole.substring(0, whole.offsetByCodePoints(0, SHOWN_CHARACTERS)) + "...";
        });
    }

    static JsonNode at(JsonNode object, String path) {
        JsonNode value = object;
        for (String name : path.split("\\.", -1)) {
            value = value.path(name);
        }
        return value;
    }

    static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= UNIT && unit < UNITS.length - 1) {
            value /= UNIT;
            unit++;
        }
        return (unit == 0 ? Long.toString(bytes) : String.format(Locale.ROOT, "%.1f", value)) + UNITS[unit];
    }
}

package io.heddle.api.page;

import io.heddle.api.problem.RequestProblem;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parameters of a request for a part of a list, checked by {@link ListRules}. An empty parameter counts as absent. */
public final class ListRequest {
    private final int limit;
    private final Sort sort;
    private final String filters;
    private final String after;
    private final Map<String, String[]> parameters;

    /** @param filters the hash of the filters */
    ListRequest(int limit, Sort sort, String filters, String after, Map<String, String[]> parameters) {
        this.limit = limit;
        this.sort = sort;
        this.filters = filters;
        this.after = after;
        this.parameters = parameters;
    }

    public int limit() {
        return limit;
    }

    public Sort sort() {
        return sort;
    }

    /**
     * Returns the parts of the key after which this part of the list begins; null at the beginning of the list.
     *
     * @param parts the number of parts that a key of the list has
     * @throws RequestProblem if the cursor is bad
     */
    public @Nullable List<@Nullable String> after(int parts) {
        return after.isEmpty() ? null : Cursor.key(after, sort, filters, parts);
    }

    /**
     * Returns the key after which this part of the list begins, if keys have one part; null at the beginning of the list.
     *
     * @throws RequestProblem if the cursor is bad
     */
    public @Nullable String after() {
        List<@Nullable String> key = after(1);
        if (key == null) {
            return null;
        }
        String only = key.getFirst();
        if (only == null) {
            throw Cursor.bad();
        }
        return only;
    }

    /** Returns the cursor of the part that follows the entry with this key. */
    public String next(@Nullable String... key) {
        return Cursor.text(sort, filters, key);
    }

    /** Returns the value of a filter, or null if the request has none. */
    public @Nullable String text(String filter) {
        String[] values = parameters.get(filter);
        if (values == null || values[0].isEmpty()) {
            return null;
        }
        if (values[0].indexOf('\0') >= 0) {
            // No name contains it, and PostgreSQL does not accept it.
            throw RequestProblem.invalid(filter, "Remove the character NUL.");
        }
        return values[0];
    }

    /** Returns the value of a filter that is true or false, or null if the request has none. */
    public @Nullable Boolean flag(String filter) {
        String text = text(filter);
        return switch (text) {
            case null -> null;
            case "true" -> true;
            case "false" -> false;
            default -> throw RequestProblem.invalid(filter, "Use true or false.");
        };
    }

    /** Returns the value of a filter that is one of the names of an enum, in any case, or null if the request has none. */
    public <E extends Enum<E>> @Nullable E choice(String filter, Class<E> type) {
        String text = text(filter);
        if (text == null) {
            return null;
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(text.toUpperCase(Locale.ROOT))) {
                return constant;
            }
        }
        throw RequestProblem.invalid(
                filter,
                Arrays.stream(type.getEnumConstants())
                        .map(Enum::name)
                        .collect(Collectors.joining(", ", "Use one of: ", ".")));
    }

    /** Returns the value of a filter that is a time, or null if the request has none. */
    public @Nullable Instant time(String filter) {
        String text = text(filter);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException notATime) {
            throw RequestProblem.invalid(filter, "Use a time in UTC such as 2026-11-01T10:00:00Z.");
        }
    }
}

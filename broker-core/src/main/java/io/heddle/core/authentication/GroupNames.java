package io.heddle.core.authentication;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Restrictions on the groups of stored credentials. Names have no spaces and commas, so that lists of them can be written in one field. */
public final class GroupNames {
    private static final int MAXIMUM = 64;
    private static final int MAXIMUM_BYTES = 128;

    private GroupNames() {}

    /** Returns one sentence that says what is wrong with groups, or null if they can be stored. */
    public static @Nullable String fault(Collection<? extends @Nullable String> groups) {
        if (groups.size() > MAXIMUM) {
            return "There are more than " + MAXIMUM + " groups.";
        }
        return groups.stream().allMatch(GroupNames::isValid)
                ? null
                : "The name of a group has 1 to " + MAXIMUM_BYTES
                        + " bytes, without spaces, commas and control characters.";
    }

    private static boolean isValid(@Nullable String name) {
        return name != null
                && !name.isEmpty()
                && name.getBytes(UTF_8).length <= MAXIMUM_BYTES
                && name.codePoints().noneMatch(GroupNames::isForbidden);
    }

    /** Separators, control characters, and halves of surrogate pairs, which have no UTF-8. */
    private static boolean isForbidden(int codePoint) {
        return codePoint == ','
                || Character.isSpaceChar(codePoint)
                || Character.isISOControl(codePoint)
                || Character.getType(codePoint) == Character.SURROGATE;
    }

    /** Returns the names in a text, which spaces separate; none for null. */
    public static List<String> split(@Nullable String text) {
        return text == null || text.isBlank() ? List.of() : List.of(text.strip().split(" +"));
    }
}

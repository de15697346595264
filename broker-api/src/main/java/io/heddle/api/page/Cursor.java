package io.heddle.api.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.api.problem.RequestProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The place in a list after which the next part begins: the order of the list, a hash of its filters, and the key of the last entry, which may
 * have several parts. As text it is URL-safe base64 of a JSON array with a version and these texts. Opaque to clients, who may keep it as long as
 * they like.
 */
public final class Cursor {
    private static final String VERSION = "3";
    private static final int BEFORE_THE_KEY = 3;
    private static final JsonMapper JSON = JsonMapper.shared();

    private Cursor() {}

    /**
     * Returns the text for the parameter {@code after}.
     *
     * @param filters the hash of the filters
     * @param key the parts of the key of the last entry; a part may be null
     */
    static String text(Sort sort, String filters, @Nullable String... key) {
        List<@Nullable String> parts = new ArrayList<>(List.of(VERSION, sort.toString(), filters));
        parts.addAll(Arrays.asList(key));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(JSON.writeValueAsBytes(parts));
    }

    /**
     * @param filters the hash of the filters
     * @param parts the number of parts that a key of the list has
     * @throws RequestProblem if the text is not a cursor of this list in this order with these filters
     */
    static List<@Nullable String> key(String text, Sort sort, String filters, int parts) {
        List<@Nullable String> decoded = decode(text);
        if (decoded.size() != BEFORE_THE_KEY + parts
                || !decoded.subList(0, BEFORE_THE_KEY).equals(List.of(VERSION, sort.toString(), filters))) {
            throw bad();
        }
        return decoded.subList(BEFORE_THE_KEY, decoded.size());
    }

    /** Returns the problem of a cursor whose key the list cannot read. */
    public static RequestProblem bad() {
        return RequestProblem.invalid(
                "after",
                "Use the value of next in the previous part of the same list, with the same sort and filters.");
    }

    private static List<@Nullable String> decode(String text) {
        try {
            @Nullable
            String @Nullable [] parts = JSON.readValue(Base64.getUrlDecoder().decode(text), String[].class);
            if (parts == null) {
                throw bad();
            }
            for (String part : parts) {
                // No key contains NUL or half a character, which PostgreSQL does not accept.
                if (part != null
                        && (part.indexOf('\0') >= 0 || !UTF_8.newEncoder().canEncode(part))) {
                    throw bad();
                }
            }
            return Arrays.asList(parts);
        } catch (IllegalArgumentException | JacksonException notACursor) {
            throw bad();
        }
    }
}

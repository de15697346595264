package io.heddle.api.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.api.problem.RequestProblem;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The place in a list after which the next part begins: the order of the list, a hash of its filters, and the key of the last entry, which may
 * have several parts. As text it is URL-safe base64 of a version byte and the parts. Opaque to clients, who may keep it as long as they like.
 */
public final class Cursor {
    private static final byte VERSION = 2;
    private static final int ABSENT = -1;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private Cursor() {}

    /**
     * Returns the text for the parameter {@code after}.
     *
     * @param filters the hash of the filters
     * @param key the parts of the key of the last entry; a part may be null
     */
    static String text(Sort sort, String filters, @Nullable String... key) {
        List<byte @Nullable []> parts = new ArrayList<>();
        parts.add(sort.toString().getBytes(UTF_8));
        parts.add(filters.getBytes(UTF_8));
        int length = 1;
        for (String part : key) {
            parts.add(part == null ? null : part.getBytes(UTF_8));
        }
        for (byte[] part : parts) {
            length += Integer.BYTES + (part == null ? 0 : part.length);
        }
        ByteBuffer bytes = ByteBuffer.allocate(length).put(VERSION);
        for (byte[] part : parts) {
            if (part == null) {
                bytes.putInt(ABSENT);
            } else {
                bytes.putInt(part.length).put(part);
            }
        }
        return ENCODER.encodeToString(bytes.array());
    }

    /**
     * Returns the parts of the key.
     *
     * @param filters the hash of the filters
     * @param parts the number of parts that a key of the list has
     * @throws RequestProblem if the text is not a cursor of this list in this order with these filters
     */
    static List<@Nullable String> key(String text, Sort sort, String filters, int parts) {
        List<@Nullable String> decoded = decode(text);
        if (decoded == null
                || decoded.size() != parts + 2
                || !sort.toString().equals(decoded.getFirst())
                || !filters.equals(decoded.get(1))) {
            throw bad();
        }
        return decoded.subList(2, decoded.size());
    }

    /** Returns the problem of a cursor whose key the list cannot read. */
    public static RequestProblem bad() {
        return RequestProblem.invalid(
                "after",
                "Use the value of next in the previous part of the same list, with the same sort and filters.");
    }

    private static @Nullable List<@Nullable String> decode(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            if (bytes.get() != VERSION) {
                return null;
            }
            List<@Nullable String> parts = new ArrayList<>();
            while (bytes.hasRemaining()) {
                int length = bytes.getInt();
                if (length == ABSENT) {
                    parts.add(null);
                } else if (length < 0 || length > bytes.remaining()) {
                    return null;
                } else {
                    parts.add(UTF_8.newDecoder()
                            .decode(bytes.slice(bytes.position(), length))
                            .toString());
                    bytes.position(bytes.position() + length);
                }
            }
            // No key contains NUL, which PostgreSQL does not accept.
            return parts.stream().anyMatch(part -> part != null && part.indexOf('\0') >= 0) ? null : parts;
        } catch (IllegalArgumentException | BufferUnderflowException | CharacterCodingException notACursor) {
            return null;
        }
    }
}

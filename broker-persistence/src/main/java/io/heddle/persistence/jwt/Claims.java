package io.heddle.persistence.jwt;

import io.heddle.core.client.TokenKey;
import io.heddle.core.mqtt.ControlCharacters;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a verified token. Texts are texts, integers and true or false; nothing else has one text only. A name with dots, such as {@code
 * realm_access.roles}, also stands for a member of a claim that is an object, unless a claim has this name.
 *
 * @param key has verified the token
 */
record Claims(Map<String, Object> values, TokenKey key) {
    /** 9999-12-31. */
    private static final long LAST_SECOND = 253_402_300_799L;

    /** Returns whether a claim is this text, or an array that contains it. */
    boolean has(String name, String text) {
        Object value = value(name);
        return value instanceof Collection<?> several
                ? several.stream().anyMatch(each -> text.equals(text(each)))
                : text.equals(text(value));
    }

    /** Returns a text, or null if there is no such claim. */
    @Nullable
    String text(String name) throws RefusedTokenException {
        Object value = value(name);
        return value == null ? null : required(name, value);
    }

    /** Returns the texts of an array, or the only one. */
    Set<String> texts(String name) throws RefusedTokenException {
        Object value = value(name);
        Set<String> texts = new LinkedHashSet<>();
        for (Object each : value == null ? List.of() : value instanceof Collection<?> array ? array : List.of(value)) {
            texts.add(required(name, each));
        }
        return texts;
    }

    /** Returns a point in time, or null if there is no such claim. */
    @Nullable
    Instant time(String name) throws RefusedTokenException {
        Object value = value(name);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Number seconds)) {
            throw new RefusedTokenException("the claim " + name + " of the token is not a number");
        }
        return Instant.ofEpochSecond(Math.clamp(seconds.longValue(), -LAST_SECOND, LAST_SECOND));
    }

    private @Nullable Object value(String name) {
        Object found = values.get(name);
        if (found != null || name.indexOf('.') < 0) {
            return found;
        }
        found = values;
        for (String member : name.split("\\.", -1)) {
            found = found instanceof Map<?, ?> object ? object.get(member) : null;
        }
        return found;
    }

    /** Names that differ must not look alike, or become equal when they are stored. */
    private static String required(String name, @Nullable Object value) throws RefusedTokenException {
        String text = text(value);
        if (text == null
                || text.isEmpty()
                || ControlCharacters.in(text)
                || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new RefusedTokenException("the claim " + name + " of the token is not a text, or is empty, or has"
                    + " characters that are not allowed");
        }
        return text;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value instanceof String || value instanceof Boolean || value instanceof Long ? value.toString() : null;
    }
}

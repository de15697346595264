package io.heddle.persistence.http;

import io.heddle.core.client.ClientType;
import io.heddle.core.client.LogValue;
import io.heddle.core.mqtt.ControlCharacters;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a service says about a client. Immutable. Bounds: {@value #MAXIMUM_ELEMENTS} groups and as many attributes, {@value #MAXIMUM_LENGTH}
 * characters in a text.
 *
 * @param userName null for the one in CONNECT
 * @param end of the permission, or null
 * @param size of the body in bytes
 */
record ServiceAnswer(
        Result result,
        ClientType type,
        @Nullable String userName,
        boolean ownsClientId,
        Set<String> groups,
        Map<String, String> attributes,
        @Nullable Instant end,
        int size) {
    static final int MAXIMUM_ELEMENTS = 100;
    static final int MAXIMUM_LENGTH = 1_000;

    enum Result {
        ALLOW,
        DENY,
        IGNORE;

        /** Returns the name in answers and metrics. */
        String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int BAD_REQUEST = 400;
    private static final int CONTENT_TOO_LARGE = 413;
    private static final int URI_TOO_LONG = 414;
    private static final int UNPROCESSABLE_CONTENT = 422;
    private static final int HEADERS_TOO_LARGE = 431;
    /** 9999-12-31. */
    private static final long LAST_SECOND = 253_402_300_799L;

    private static final Pattern ATTRIBUTE = Pattern.compile("[A-Za-z0-9_.-]+");
    /** A member with a typing error must not be lost. */
    private static final Set<String> MEMBERS = Set.of(
            "result",
            "clientType",
            "userName",
            "ownsClientId",
            "groups",
            "attributes",
            "expireAt",
            // EMQX.
            "client_attrs",
            "expire_at",
            "is_superuser");

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    static ServiceAnswer parse(int status, byte[] body) throws UnusableAnswerException {
        return switch (status) {
            case OK -> parse(body);
            case NO_CONTENT -> of(Result.ALLOW);
            case UNAUTHORIZED, FORBIDDEN -> of(Result.DENY);
            case BAD_REQUEST, CONTENT_TOO_LARGE, URI_TOO_LONG, UNPROCESSABLE_CONTENT, HEADERS_TOO_LARGE ->
                throw UnusableAnswerException.rejected(status);
            default -> throw UnusableAnswerException.ofStatus(status);
        };
    }

    private static ServiceAnswer of(Result result) {
        return new ServiceAnswer(result, ClientType.DEVICE, null, false, Set.of(), Map.of(), null, 0);
    }

    private static ServiceAnswer parse(byte[] body) throws UnusableAnswerException {
        JsonNode answer = object(body);
        for (String name : answer.propertyNames()) {
            if (!MEMBERS.contains(name)) {
                throw UnusableAnswerException.malformed("has an unknown member: " + LogValue.of(name));
            }
        }
        return new ServiceAnswer(
                result(text(answer, "result")),
                type(text(answer, "clientType")),
                text(answer, "userName"),
                isTrue(answer.path("ownsClientId")),
                groups(answer.path("groups")),
                attributes(answer.path(answer.has("attributes") ? "attributes" : "client_attrs")),
                time(answer.path(answer.has("expireAt") ? "expireAt" : "expire_at")),
                body.length);
    }

    private static JsonNode object(byte[] body) throws UnusableAnswerException {
        try {
            JsonNode answer = JSON.readTree(body);
            if (answer.isObject()) {
                return answer;
            }
        } catch (JacksonException malformed) {
            // Its message has parts of the body.
        }
        throw UnusableAnswerException.malformed("is not a JSON object");
    }

    private static Result result(@Nullable String name) throws UnusableAnswerException {
        for (Result each : Result.values()) {
            if (each.tag().equals(name)) {
                return each;
            }
        }
        throw UnusableAnswerException.malformed("has a result other than allow, deny and ignore, or none");
    }

    private static ClientType type(@Nullable String name) throws UnusableAnswerException {
        return switch (name) {
            case null -> ClientType.DEVICE;
            case "DEVICE" -> ClientType.DEVICE;
            case "APPLICATION" -> ClientType.APPLICATION;
            default ->
                throw UnusableAnswerException.malformed("has a clientType that is neither DEVICE nor APPLICATION");
        };
    }

    private static boolean isTrue(JsonNode value) throws UnusableAnswerException {
        if (isAbsent(value) || value.isBoolean()) {
            return value.asBoolean(false);
        }
        throw UnusableAnswerException.malformed("has an ownsClientId that is neither true nor false");
    }

    private static Set<String> groups(JsonNode values) throws UnusableAnswerException {
        if (!isAbsent(values) && (!values.isArray() || values.size() > MAXIMUM_ELEMENTS)) {
            throw UnusableAnswerException.malformed(
                    "has groups that are not an array of at most " + MAXIMUM_ELEMENTS + " texts");
        }
        Set<String> groups = new HashSet<>();
        for (JsonNode each : values) {
            groups.add(text("groups", each));
        }
        return Set.copyOf(groups);
    }

    private static Map<String, String> attributes(JsonNode values) throws UnusableAnswerException {
        if (!isAbsent(values) && (!values.isObject() || values.size() > MAXIMUM_ELEMENTS)) {
            throw UnusableAnswerException.malformed(
                    "has attributes that are not an object of at most " + MAXIMUM_ELEMENTS + " members");
        }
        Map<String, String> attributes = new HashMap<>();
        for (Map.Entry<String, JsonNode> each : values.properties()) {
            if (!ATTRIBUTE.matcher(text("attributes", each.getKey())).matches()) {
                throw UnusableAnswerException.malformed(
                        "has an attribute whose name rules cannot use: " + LogValue.of(each.getKey()));
            }
            attributes.put(each.getKey(), text("attributes", each.getValue()));
        }
        return Map.copyOf(attributes);
    }

    private static @Nullable Instant time(JsonNode seconds) throws UnusableAnswerException {
        if (isAbsent(seconds)) {
            return null;
        }
        if (!seconds.isIntegralNumber() || !seconds.canConvertToLong()) {
            throw UnusableAnswerException.malformed("has an expireAt that is not a number of seconds since 1970");
        }
        return Instant.ofEpochSecond(Math.clamp(seconds.asLong(), -LAST_SECOND, LAST_SECOND));
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static @Nullable String text(JsonNode answer, String name) throws UnusableAnswerException {
        JsonNode value = answer.path(name);
        return isAbsent(value) ? null : text(name, value);
    }

    private static String text(String name, JsonNode value) throws UnusableAnswerException {
        return text(name, value.isString() || value.isIntegralNumber() || value.isBoolean() ? value.asString() : "");
    }

    /** Names that differ must not look alike, or become equal when they are stored. */
    private static String text(String name, String text) throws UnusableAnswerException {
        if (text.isEmpty()
                || text.length() > MAXIMUM_LENGTH
                || ControlCharacters.in(text)
                || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw UnusableAnswerException.malformed("has in " + name + " no text, or an empty one, or one of more than "
                    + MAXIMUM_LENGTH + " characters, or characters that are not allowed");
        }
        return text;
    }

    /** Returns whether the permission has ended. */
    boolean isOver(Instant now) {
        return end != null && !now.isBefore(end);
    }
}

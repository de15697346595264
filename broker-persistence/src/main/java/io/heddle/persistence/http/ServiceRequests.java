package io.heddle.persistence.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.mqtt.BinaryData;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The form of the requests to a service: its address, in whose path and query placeholders stand for values of the client, and the method. POST
 * has all values in a JSON object; GET has user name and password in the header Authorization. Immutable. Bounds: {@value #MAXIMUM_VALUE} bytes in
 * a value, and {@value #MAXIMUM_HEAD} characters in the address and the header Authorization of GET, because servers reject more.
 */
public final class ServiceRequests {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");
    private static final String PATH_AND_QUERY = "/?#";
    private static final int MAXIMUM_VALUE = 4_096;
    private static final int MAXIMUM_HEAD = 8_000;

    private final List<Part> parts;
    private final boolean isPost;

    private enum Placeholder {
        CLIENT_ID("clientId"),
        USER_NAME("username"),
        ADDRESS("address"),
        LISTENER("listener");

        private final String text;

        Placeholder(String text) {
            this.text = text;
        }

        private String value(ConnectCredentials credentials) {
            return switch (this) {
                case CLIENT_ID -> credentials.clientId().value();
                case USER_NAME -> textOf(credentials.userName());
                case ADDRESS -> host(credentials.remoteAddress());
                case LISTENER -> credentials.listener();
            };
        }
    }

    private record Part(String text, @Nullable Placeholder placeholder, boolean isPath) {}

    private ServiceRequests(List<Part> parts, boolean isPost) {
        this.parts = List.copyOf(parts);
        this.isPost = isPost;
    }

    /**
     * Reads an address with placeholders.
     *
     * @param isPost whether the method is POST, not GET
     * @throws IllegalArgumentException with a clause that says what is wrong and what to do
     */
    public static ServiceRequests parse(String address, boolean isPost) {
        List<Part> parts = new ArrayList<>();
        Matcher placeholders = PLACEHOLDER.matcher(address);
        int end = 0;
        while (placeholders.find()) {
            String before = address.substring(0, placeholders.start());
            parts.add(new Part(
                    address.substring(end, placeholders.start()),
                    placeholder(placeholders.group(1)),
                    isPath(before, address.substring(placeholders.end()))));
            end = placeholders.end();
        }
        parts.add(new Part(address.substring(end), null, false));
        return new ServiceRequests(parts, isPost);
    }

    private static Placeholder placeholder(String name) {
        if (name.equals("password")) {
            throw new IllegalArgumentException("has ${password}, which would end up in logs of the service: remove it;"
                    + " the password is in the body of POST, and in the header Authorization of GET");
        }
        return Arrays.stream(Placeholder.values())
                .filter(each -> each.text.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "has an unknown placeholder: write ${clientId}, ${username}, ${address} or ${listener}"));
    }

    private static boolean isPath(String before, String after) {
        int host = before.indexOf("//") + 2;
        if (host < 2 || before.substring(host).chars().noneMatch(each -> PATH_AND_QUERY.indexOf(each) >= 0)) {
            throw new IllegalArgumentException(
                    "has a placeholder in front of its path: write placeholders in the path or behind a ?");
        }
        boolean isPath = before.indexOf('?') < 0;
        boolean isSegment = before.endsWith("/") && (after.isEmpty() || PATH_AND_QUERY.indexOf(after.charAt(0)) >= 0);
        if (isPath && !isSegment) {
            throw new IllegalArgumentException(
                    "has a placeholder in a part of its path: write it between two /, or behind a ?");
        }
        return isPath;
    }

    /** Returns the address without the values of a client. */
    public String withoutValues() {
        StringBuilder address = new StringBuilder();
        parts.forEach(each -> address.append(each.text).append(each.placeholder == null ? "" : "x"));
        return address.toString();
    }

    boolean hasClientId() {
        return isPost || parts.stream().anyMatch(each -> each.placeholder == Placeholder.CLIENT_ID);
    }

    /**
     * Returns the request about a client; null if it has neither user name nor password, if one of its values cannot be sent so that the service
     * surely reads the same value, or if the values are too long.
     */
    @Nullable
    ServiceRequest of(ConnectCredentials credentials) {
        if ((credentials.userName() == null && credentials.password() == null) || hasLongValue(credentials)) {
            return null;
        }
        StringBuilder address = new StringBuilder();
        for (Part each : parts) {
            address.append(each.text);
            if (each.placeholder != null) {
                String value = each.placeholder.value(credentials);
                if (each.isPath && !isSegment(value)) {
                    return null;
                }
                // Encodes a space as in forms.
                address.append(URLEncoder.encode(value, UTF_8).replace("+", "%20"));
            }
        }
        if (isPost) {
            BinaryData body = json(credentials);
            return body == null ? null : new ServiceRequest(URI.create(address.toString()), null, body);
        }
        String authorization = basic(credentials);
        return authorization == null || address.length() + authorization.length() > MAXIMUM_HEAD
                ? null
                : new ServiceRequest(URI.create(address.toString()), authorization, BinaryData.EMPTY);
    }

    private static boolean hasLongValue(ConnectCredentials credentials) {
        BinaryData password = credentials.password();
        return (password != null && password.length() > MAXIMUM_VALUE)
                || Arrays.stream(Placeholder.values())
                        .anyMatch(each -> each.value(credentials).getBytes(UTF_8).length > MAXIMUM_VALUE);
    }

    /** Servers remove dots from paths, and many do so after they have decoded them. */
    private static boolean isSegment(String value) {
        return !(value.isEmpty()
                || value.equals(".")
                || value.equals("..")
                || value.indexOf('/') >= 0
                || value.indexOf('\\') >= 0);
    }

    private static @Nullable BinaryData json(ConnectCredentials credentials) {
        BinaryData password = credentials.password();
        Map<String, @Nullable String> values = new LinkedHashMap<>();
        for (Placeholder each : Placeholder.values()) {
            values.put(each.text, each.value(credentials));
        }
        values.put(Placeholder.USER_NAME.text, credentials.userName());
        try {
            values.put(
                    "password",
                    password == null
                            ? null
                            : UTF_8.newDecoder()
                                    .decode(ByteBuffer.wrap(password.array()))
                                    .toString());
        } catch (CharacterCodingException binary) {
            return null;
        }
        return BinaryData.wrap(JsonMapper.shared().writeValueAsBytes(values));
    }

    /** RFC 7617. The first colon ends the user name. */
    private static @Nullable String basic(ConnectCredentials credentials) {
        String userName = textOf(credentials.userName());
        if (userName.indexOf(':') >= 0) {
            return null;
        }
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes((userName + ":").getBytes(UTF_8));
        BinaryData password = credentials.password();
        both.writeBytes(password == null ? new byte[0] : password.array());
        return "Basic " + Base64.getEncoder().encodeToString(both.toByteArray());
    }

    private static String textOf(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static String host(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getAddress().getHostAddress() : address.toString();
    }
}

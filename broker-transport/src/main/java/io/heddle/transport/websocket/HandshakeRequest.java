package io.heddle.transport.websocket;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The check of a client's HTTP request (RFC 6455, section 4.2; MQTT 5.0, section 6), and the values of the answer. */
final class HandshakeRequest {
    private static final String VERSION = "13";
    /** RFC 6455, section 1.3. */
    private static final String KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    /** Sixteen bytes in Base64. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{22}==");

    /** The second one is what clients of MQTT 3.1 use. */
    private static final Set<String> SUBPROTOCOLS = Set.of("mqtt", "mqttv3.1");

    private final HttpRequest request;
    private final HttpHeaders headers;

    HandshakeRequest(HttpRequest request) {
        this.request = request;
        this.headers = request.headers();
    }

    /** An answer that refuses the request. The text is one sentence without data from the client. */
    record Refusal(HttpResponseStatus status, String text) {}

    /** Returns why the request cannot be accepted, or null if it can. */
    @Nullable
    Refusal refusal(WebSocketEndpoint endpoint) {
        if (request.decoderResult().isFailure()) {
            return malformed(request.decoderResult().cause());
        }
        if (!endpoint.hasPath(path())) {
            return new Refusal(
                    HttpResponseStatus.NOT_FOUND,
                    "MQTT over WebSocket is at the path " + String.join(" or ", endpoint.paths()) + ".");
        }
        if (!request.method().equals(HttpMethod.GET)
                || !request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                || HttpUtil.isTransferEncodingChunked(request)
                || (headers.contains(HttpHeaderNames.CONTENT_LENGTH)
                        && !headers.containsValue(HttpHeaderNames.CONTENT_LENGTH, "0", false))) {
            return bad("A WebSocket handshake is a GET request of HTTP/1.1 without a body.");
        }
        if (!headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
                || !headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)) {
            return bad("This path is for WebSocket clients: the request has no Upgrade to websocket.");
        }
        if (!VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
            return new Refusal(
                    HttpResponseStatus.UPGRADE_REQUIRED, "This server speaks version 13 of the WebSocket protocol.");
        }
        String key = headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY);
        if (key == null || !KEY.matcher(key).matches()) {
            return bad("Sec-WebSocket-Key is not 16 bytes in Base64.");
        }
        if (subprotocol() == null) {
            return bad("Sec-WebSocket-Protocol must name the subprotocol mqtt (or mqttv3.1)."); // [MQTT-6.0.0-3]
        }
        return null;
    }

    private static Refusal malformed(Throwable cause) {
        return switch (cause) {
            case TooLongHttpLineException _ ->
                new Refusal(HttpResponseStatus.REQUEST_URI_TOO_LONG, "The request line is too long.");
            case TooLongHttpHeaderException _ ->
                new Refusal(
                        HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers of the request are too long.");
            default -> bad("The request is malformed.");
        };
    }

    private static Refusal bad(String text) {
        return new Refusal(HttpResponseStatus.BAD_REQUEST, text);
    }

    /**
     * Returns the origin of the web page if it may not connect, else null.
     *
     * @param isOnLoopback whether the connection comes from this machine, and from no trusted proxy
     */
    @Nullable
    String forbiddenOrigin(AllowedOrigins origins, boolean isOnLoopback) {
        String origin = headers.get(HttpHeaderNames.ORIGIN);
        return origin == null || origins.allow(origin, headers.get(HttpHeaderNames.HOST), isOnLoopback) ? null : origin;
    }

    private String path() {
        String uri = request.uri();
        int query = uri.indexOf('?');
        return query < 0 ? uri : uri.substring(0, query);
    }

    /** Returns the first subprotocol of the client that this server speaks, or null if there is none. */
    @Nullable
    String subprotocol() {
        for (String header : headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL)) {
            for (String each : header.split(",", -1)) {
                if (SUBPROTOCOLS.contains(each.strip())) {
                    return each.strip();
                }
            }
        }
        return null;
    }

    /** Returns the proof that the server has read the client's key. */
    String accept() {
        try {
            byte[] text =
                    (headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY) + KEY_SUFFIX).getBytes(StandardCharsets.US_ASCII);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}

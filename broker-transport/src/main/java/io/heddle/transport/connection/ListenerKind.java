package io.heddle.transport.connection;

import java.util.Locale;

/** How the clients of a listener carry MQTT. */
public enum ListenerKind {
    /** MQTT over TCP. */
    TCP("tcp", false, false),
    /** MQTT over TLS. */
    TLS("tls", true, false),
    /** MQTT over WebSocket. */
    WS("ws", false, true),
    /** MQTT over WebSocket over TLS. */
    WSS("wss", true, true);

    private final String scheme;
    private final boolean encrypted;
    private final boolean webSocket;

    ListenerKind(String scheme, boolean encrypted, boolean webSocket) {
        this.scheme = scheme;
        this.encrypted = encrypted;
        this.webSocket = webSocket;
    }

    /** Returns the scheme of its URLs. */
    public String scheme() {
        return scheme;
    }

    /** Returns its value of the tag {@code kind} of metrics. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean isEncrypted() {
        return encrypted;
    }

    public boolean isWebSocket() {
        return webSocket;
    }
}

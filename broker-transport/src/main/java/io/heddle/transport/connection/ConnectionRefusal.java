package io.heddle.transport.connection;

import java.util.Locale;

/** Why a listener closed a connection before its client had a session. */
public enum ConnectionRefusal {
    /** The broker is starting. */
    STARTING,
    /** The listener or the node has its maximum number of connections. */
    MAXIMUM_CONNECTIONS,
    /** Too many connections of its address are before CONNECT. */
    ADDRESS_SHARE,
    /** It was before CONNECT, silent or slow, and its place was needed for others. */
    SILENT,
    /** The listener expects a PROXY protocol header, and the address is not in its trusted networks. */
    UNTRUSTED_PROXY,
    /** The PROXY protocol header, or X-Forwarded-For from a trusted proxy, is malformed. */
    PROXY_HEADER,
    /** The client speaks another protocol than the listener. */
    FOREIGN_PROTOCOL,
    /** The HTTP request is not a WebSocket handshake for MQTT on the path of the listener. */
    HTTP_REQUEST,
    /** The web page has an origin that the listener does not allow. */
    ORIGIN,
    /** The TLS handshake failed. */
    TLS_HANDSHAKE,
    /** The listener does not allow the client's version of MQTT. */
    PROTOCOL_VERSION;

    /** Returns its value of the tag {@code reason} of metrics. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}

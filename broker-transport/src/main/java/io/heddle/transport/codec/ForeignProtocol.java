package io.heddle.transport.codec;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.netty.buffer.ByteBuf;
import io.netty.util.CharsetUtil;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Recognises other protocols than that of the port, which are often sent there by mistake, by their first bytes, so that they can be logged. */
public final class ForeignProtocol {
    private static final String HTTP =
            "the client sent HTTP, but this port expects MQTT over TCP: connect the browser or WebSocket client elsewhere";
    private static final String TLS =
            "the client sent TLS, but this port expects MQTT without TLS: disable TLS in the client or use a TLS port";
    private static final String PROXY =
            "the client sent a PROXY protocol header, but this port expects MQTT: set proxy-protocol and"
                    + " trusted-proxies of the listener, or disable the header in the load balancer";
    private static final String PROXY_TO_FRONT =
            "the client sent a PROXY protocol header, which this listener does not expect: set its proxy-protocol and"
                    + " trusted-proxies, or disable the header in the load balancer";
    private static final String MQTT_TO_TLS =
            "the client sent MQTT without TLS, but this port expects TLS: enable TLS in the client or use a port without TLS";
    private static final String HTTP_TO_TLS =
            "the client sent HTTP without TLS, but this port expects TLS: use wss:// or https:// in the client";
    private static final String OTHER_TO_TLS = "the client sent no TLS, but this port expects it";
    private static final String MQTT_TO_HTTP =
            "the client sent MQTT without WebSocket, but this port expects WebSocket: use an MQTT port, or WebSocket in the client";
    private static final String TLS_TO_HTTP =
            "the client sent TLS, but this port expects WebSocket without TLS: use ws:// in the client or a port for wss://";
    private static final String OTHER_TO_HTTP = "the client sent no HTTP, but this port expects WebSocket";
    private static final Set<String> ALL = Set.of(
            HTTP,
            TLS,
            PROXY,
            PROXY_TO_FRONT,
            MQTT_TO_TLS,
            HTTP_TO_TLS,
            OTHER_TO_TLS,
            MQTT_TO_HTTP,
            TLS_TO_HTTP,
            OTHER_TO_HTTP);
    private static final byte[][] HTTP_METHODS = {
        ascii("GET "),
        ascii("POST"),
        ascii("PUT "),
        ascii("HEAD"),
        ascii("OPTI"),
        ascii("DELE"),
        ascii("CONN"),
        ascii("PRI ")
    };
    private static final byte[] PROXY_1 = ascii("PROX");
    private static final byte[] PROXY_2 = {0x0D, 0x0A, 0x0D, 0x0A};
    private static final int MQTT_CONNECT = 0x10;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final int TLS_MAJOR_VERSION = 3;
    private static final int PROBE_BYTES = 4;

    private ForeignProtocol() {}

    /** Returns a specific error instead of "not CONNECT", or null if the bytes match none of the protocols. */
    static @Nullable ProtocolException recognise(ByteBuf in) {
        int start = in.readerIndex();
        if (in.readableBytes() < PROBE_BYTES) {
            return null;
        }
        if (in.getUnsignedByte(start) == TLS_HANDSHAKE && in.getUnsignedByte(start + 1) == TLS_MAJOR_VERSION) {
            return new ProtocolException(ReasonCode.PROTOCOL_ERROR, TLS);
        }
        for (byte[] method : HTTP_METHODS) {
            if (startsWith(in, start, method, PROBE_BYTES)) {
                return new ProtocolException(ReasonCode.PROTOCOL_ERROR, HTTP);
            }
        }
        return isProxyHeader(in) ? new ProtocolException(ReasonCode.PROTOCOL_ERROR, PROXY) : null;
    }

    /** Returns the error if the first bytes do not begin a TLS handshake, else null. At least one byte must be readable. */
    public static @Nullable ProtocolException whereTlsIsExpected(ByteBuf in) {
        int first = in.getUnsignedByte(in.readerIndex());
        if (first == TLS_HANDSHAKE) {
            return null;
        }
        return new ProtocolException(
                ReasonCode.PROTOCOL_ERROR,
                isProxyHeader(in)
                        ? PROXY_TO_FRONT
                        : first == MQTT_CONNECT ? MQTT_TO_TLS : isCapital(first) ? HTTP_TO_TLS : OTHER_TO_TLS);
    }

    /** Returns the error if the first bytes do not begin a request of HTTP, else null. At least one byte must be readable. */
    public static @Nullable ProtocolException whereHttpIsExpected(ByteBuf in) {
        int first = in.getUnsignedByte(in.readerIndex());
        if (isProxyHeader(in)) {
            return new ProtocolException(ReasonCode.PROTOCOL_ERROR, PROXY_TO_FRONT);
        }
        return isCapital(first)
                ? null
                : new ProtocolException(
                        ReasonCode.PROTOCOL_ERROR,
                        first == MQTT_CONNECT ? MQTT_TO_HTTP : first == TLS_HANDSHAKE ? TLS_TO_HTTP : OTHER_TO_HTTP);
    }

    private static boolean isProxyHeader(ByteBuf in) {
        int start = in.readerIndex();
        return in.readableBytes() >= PROBE_BYTES
                && (startsWith(in, start, PROXY_1, PROBE_BYTES) || startsWith(in, start, PROXY_2, PROBE_BYTES));
    }

    private static boolean isCapital(int character) {
        return character >= 'A' && character <= 'Z';
    }

    /** Returns whether there are too few bytes to decide, and those received match the beginning of one of the protocols. */
    static boolean isUndecided(ByteBuf in) {
        int start = in.readerIndex();
        int length = in.readableBytes();
        if (length >= PROBE_BYTES) {
            return false;
        }
        if (in.getUnsignedByte(start) == TLS_HANDSHAKE) {
            return length == 1 || in.getUnsignedByte(start + 1) == TLS_MAJOR_VERSION;
        }
        for (byte[] method : HTTP_METHODS) {
            if (startsWith(in, start, method, length)) {
                return true;
            }
        }
        return startsWith(in, start, PROXY_1, length) || startsWith(in, start, PROXY_2, length);
    }

    /** Returns whether a fault was created here, which indicates a wrong configuration. */
    public static boolean isReportedBy(ProtocolException fault) {
        return ALL.contains(fault.detail());
    }

    private static boolean startsWith(ByteBuf in, int start, byte[] prefix, int length) {
        for (int i = 0; i < length; i++) {
            if (in.getByte(start + i) != prefix[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(CharsetUtil.US_ASCII);
    }
}

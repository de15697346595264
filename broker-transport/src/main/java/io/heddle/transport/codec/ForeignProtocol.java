package io.heddle.transport.codec;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.netty.buffer.ByteBuf;
import io.netty.util.CharsetUtil;
import org.jspecify.annotations.Nullable;

/** Recognises HTTP and TLS, which are often sent to an MQTT port by mistake, by their first bytes, so that they can be logged. */
public final class ForeignProtocol {
    private static final String HTTP =
            "the client sent HTTP, but this port expects MQTT over TCP: connect the browser or WebSocket client elsewhere";
    private static final String TLS =
            "the client sent TLS, but this port expects MQTT without TLS: disable TLS in the client or use a TLS port";
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
    private static final int TLS_HANDSHAKE = 0x16;
    private static final int TLS_MAJOR_VERSION = 3;
    private static final int PROBE_BYTES = 4;

    private ForeignProtocol() {}

    /** Returns a specific error instead of "not CONNECT", or null if the bytes match neither protocol. */
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
        return null;
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
        return false;
    }

    /** Returns whether a fault was created here, which indicates a wrong configuration. */
    public static boolean isReportedBy(ProtocolException fault) {
        return fault.detail().equals(HTTP) || fault.detail().equals(TLS);
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

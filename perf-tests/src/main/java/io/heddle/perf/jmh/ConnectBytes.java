package io.heddle.perf.jmh;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.heddle.core.mqtt.MqttVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** The CONNECT of a client with a new session and a keep alive of a minute. */
final class ConnectBytes {
    private static final String CLIENT_ID = "client";
    private static final int CONNECT = 0x10;
    private static final int CLEAN_START = 0b10;
    private static final int KEEP_ALIVE_SECONDS = 60;

    private ConnectBytes() {}

    /** Returns its bytes in a direct buffer. */
    static ByteBuf of(MqttVersion version) {
        ByteBuf content = ByteBufAllocator.DEFAULT.directBuffer();
        write(version.protocolName(), content);
        content.writeByte(version.protocolLevel()).writeByte(CLEAN_START).writeShort(KEEP_ALIVE_SECONDS);
        if (version.hasProperties()) {
            content.writeByte(0);
        }
        write(CLIENT_ID, content);
        ByteBuf packet = ByteBufAllocator.DEFAULT.directBuffer();
        packet.writeByte(CONNECT).writeByte(content.readableBytes()).writeBytes(content);
        content.release();
        return packet;
    }

    private static void write(String text, ByteBuf out) {
        out.writeShort(text.length()).writeCharSequence(text, US_ASCII);
    }
}

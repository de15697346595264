package io.heddle.transport.codec;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.BinaryData;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Computes the size of packet fields and writes them. The encoder has reserved the packet's exact size in the buffer. */
@HotPath
final class PacketWriter {
    private static final int MAXIMUM_FIELD_BYTES = 65_535;

    private PacketWriter() {}

    /** Returns the bytes of a text with its length prefix. */
    static int sizeOf(String text) {
        return Short.BYTES + textBytes(text);
    }

    /** Returns the bytes of binary data with its length prefix. */
    static int sizeOf(BinaryData data) {
        return Short.BYTES + fieldBytes(data.length());
    }

    static void write(String text, ByteBuf out) {
        int bytes = textBytes(text);
        out.writeShort(bytes);
        ByteBufUtil.reserveAndWriteUtf8(out, text, bytes);
    }

    static void write(BinaryData data, ByteBuf out) {
        out.writeShort(data.length());
        out.writeBytes(data.array());
    }

    private static int textBytes(String text) {
        return fieldBytes(ByteBufUtil.utf8Bytes(text));
    }

    private static int fieldBytes(int bytes) {
        if (bytes > MAXIMUM_FIELD_BYTES) {
            throw new IllegalArgumentException("a field of " + bytes + " bytes does not fit into a packet");
        }
        return bytes;
    }
}

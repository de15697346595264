package io.heddle.transport.codec;

import io.netty.buffer.ByteBuf;

/**
 * The Variable Byte Integer of section 1.5.5: seven bits per byte, lowest first; the high bit indicates that another byte
 * follows.
 */
final class VariableByteInteger {
    /** The largest value, encoded in four bytes. */
    static final int MAXIMUM = 268_435_455;

    static final int MAXIMUM_BYTES = 4;

    private VariableByteInteger() {}

    /** Returns the encoded length of a value, 1 to 4. */
    static int size(int value) {
        if (value < 0 || value > MAXIMUM) {
            throw new IllegalArgumentException("not a variable byte integer: " + value);
        }
        if (value < 1 << 7) {
            return 1;
        }
        if (value < 1 << 14) {
            return 2;
        }
        return value < 1 << 21 ? 3 : 4;
    }

    /** Writes a value in the fewest bytes [MQTT-1.5.5-1]. */
    static void write(int value, ByteBuf out) {
        int rest = value;
        while (rest > 0x7F) {
            out.writeByte((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.writeByte(rest);
    }
}

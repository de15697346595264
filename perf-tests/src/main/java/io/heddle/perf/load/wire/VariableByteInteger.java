package io.heddle.perf.load.wire;

import java.nio.ByteBuffer;

/** The MQTT encoding of lengths in one to four bytes. */
final class VariableByteInteger {
    static final int MAXIMUM = 268_435_455;

    /** The value is not complete. */
    static final int INCOMPLETE = -1;

    private VariableByteInteger() {}

    /** Reads a value that must be complete before {@code limit}. */
    static int read(ByteBuffer in, int at, int limit) {
        int value = peek(in, at, limit);
        if (value == INCOMPLETE) {
            throw new BrokerFaultException("a length that reaches beyond its packet");
        }
        return value;
    }

    /** Reads a value. Returns {@link #INCOMPLETE} if it extends beyond {@code limit}. */
    static int peek(ByteBuffer in, int at, int limit) {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            if (at + i >= limit) {
                return INCOMPLETE;
            }
            int next = in.get(at + i);
            value |= (next & 0x7F) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw new BrokerFaultException("a length of more than four bytes");
    }

    /** The number of bytes of the encoded value. */
    static int size(int value) {
        if (value < 1 << 7) {
            return 1;
        }
        if (value < 1 << 14) {
            return 2;
        }
        return value < 1 << 21 ? 3 : 4;
    }

    static void write(ByteBuffer out, int value) {
        int rest = value;
        while (rest > 0x7F) {
            out.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }
}

package io.heddle.perf.load.wire;

import java.nio.ByteBuffer;

/** The standard's encoding of lengths in one to four bytes. */
final class VariableByteInteger {
    static final int MAXIMUM = 268_435_455;

    /** The bytes read so far do not hold all of it. */
    static final int INCOMPLETE = -1;

    private VariableByteInteger() {}

    /** Reads one that must be complete before {@code limit}. */
    static int read(ByteBuffer in, int at, int limit) {
        int value = peek(in, at, limit);
        if (value == INCOMPLETE) {
            throw new BrokerFaultException("a length that reaches beyond its packet");
        }
        return value;
    }

    /** Reads one, or answers {@link #INCOMPLETE} when {@code limit} comes before its end. */
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

    /** How many bytes the value takes, in its shortest form. */
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

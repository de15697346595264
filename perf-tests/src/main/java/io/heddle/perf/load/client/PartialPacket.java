package io.heddle.perf.load.client;

import java.nio.ByteBuffer;

/** The first bytes of a packet that has not been read completely. Bounded by the read buffer. */
final class PartialPacket {
    private static final int SMALLEST = 256;

    private byte[] bytes = new byte[0];
    private int count;

    /** Puts the bytes before the next ones. */
    void moveTo(ByteBuffer in) {
        in.put(bytes, 0, count);
        count = 0;
    }

    void keep(ByteBuffer in) {
        count = in.remaining();
        if (bytes.length < count) {
            bytes = new byte[Math.max(SMALLEST, Math.min(in.capacity(), 2 * count))];
        }
        in.get(bytes, 0, count);
    }
}

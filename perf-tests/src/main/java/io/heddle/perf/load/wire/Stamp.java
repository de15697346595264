package io.heddle.perf.load.wire;

import java.nio.ByteBuffer;

/**
 * The first bytes of each payload: the run (4 bytes), the number of the publisher (4), the sequence number among the publisher's messages
 * (8), and the intended send time as {@link System#nanoTime} of this process (8).
 */
public final class Stamp {
    /** The size of a stamp, which is the minimum payload size. */
    public static final int BYTES = 24;

    private Stamp() {}

    static void write(ByteBuffer out, int run, int publisher, long sequence, long intendedNanos) {
        out.putInt(run).putInt(publisher).putLong(sequence).putLong(intendedNanos);
    }

    /** Distinguishes the messages of this invocation from those of others. */
    public static int run(ByteBuffer in, int payloadAt) {
        return in.getInt(payloadAt);
    }

    public static int publisher(ByteBuffer in, int payloadAt) {
        return in.getInt(payloadAt + 4);
    }

    public static long sequence(ByteBuffer in, int payloadAt) {
        return in.getLong(payloadAt + 8);
    }

    public static long intendedNanos(ByteBuffer in, int payloadAt) {
        return in.getLong(payloadAt + 16);
    }
}

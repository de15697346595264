package io.heddle.perf.load.wire;

import java.nio.ByteBuffer;

/**
 * What every payload begins with: the run (4 bytes), the publisher's number (4), the sequence number among that publisher's
 * messages (8) and when it was to be sent, by {@link System#nanoTime} of this process (8).
 */
public final class Stamp {
    /** The shortest payload. */
    public static final int BYTES = 24;

    private Stamp() {}

    static void write(ByteBuffer out, int run, int publisher, long sequence, long intendedNanos) {
        out.putInt(run).putInt(publisher).putLong(sequence).putLong(intendedNanos);
    }

    /** Tells this invocation's messages from those of an earlier one. */
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

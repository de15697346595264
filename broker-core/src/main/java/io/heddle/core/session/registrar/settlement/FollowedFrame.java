package io.heddle.core.session.registrar.settlement;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells how far a node has applied the log of the clients. Each frame replaces the offsets that it contains.
 *
 * <pre>
 * u8   version, 1
 * u8   1 if the node routes messages or is about to, 0 if it only follows
 * u32  count, and for each bucket
 *   u32  bucket
 *   i64  all records below this offset are applied
 * </pre>
 *
 * @param routes whether the node routes messages or is about to
 * @param offsets by the bucket
 */
record FollowedFrame(boolean routes, Map<Integer, Long> offsets) {
    static final int KIND = 0x50;
    private static final int VERSION = 1;
    private static final int ENTRY_BYTES = Integer.BYTES + Long.BYTES;

    byte[] encode() {
        BinaryWriter out = new BinaryWriter().u8(VERSION).u8(routes ? 1 : 0).u32(offsets.size());
        offsets.forEach((bucket, next) -> out.u32(bucket).i64(next));
        return out.toBytes();
    }

    /**
     * Reads a frame.
     *
     * @throws io.heddle.core.message.frame.MalformedFrameException if it cannot be read, or names a bucket that does not exist
     */
    static FollowedFrame decode(byte[] bytes, int bucketCount) {
        FrameReader in = new FrameReader("a report of followed offsets", bytes);
        in.version(VERSION);
        boolean routes = in.u8() != 0;
        long count = in.u32();
        if (count > in.remaining() / ENTRY_BYTES) {
            throw in.malformed(count + " entries exceed its size");
        }
        Map<Integer, Long> offsets = new TreeMap<>();
        for (long i = 0; i < count; i++) {
            long bucket = in.u32();
            if (bucket >= bucketCount) {
                throw in.malformed("there is no bucket " + bucket);
            }
            offsets.put((int) bucket, in.i64());
        }
        in.finish();
        return new FollowedFrame(routes, offsets);
    }
}

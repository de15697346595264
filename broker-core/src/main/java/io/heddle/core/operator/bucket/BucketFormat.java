package io.heddle.core.operator.bucket;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.operator.bucket.BucketState.Progress;
import java.util.Map;
import java.util.TreeMap;

/**
 * The answer of a node about the buckets that it holds.
 *
 * <pre>
 * u8   version, 1
 * u16  number of buckets; each:
 * u16    bucket
 * i64    offset of the last applied command
 * i64    lag in milliseconds
 * i64    lag in bytes
 * text   why the bucket is blocked, or empty
 * </pre>
 */
final class BucketFormat {
    private static final int VERSION = 1;
    private static final int MAXIMUM_REASON = 500;

    private BucketFormat() {}

    static byte[] encode(Map<Integer, Progress> held) {
        BinaryWriter writer = new BinaryWriter().u8(VERSION).u16(held.size());
        held.forEach((bucket, progress) -> {
            String blocked = progress.blocked() == null ? "" : progress.blocked();
            writer.u16(bucket)
                    .i64(progress.appliedOffset())
                    .i64(progress.lagMillis())
                    .i64(progress.lagBytes())
                    .text(blocked.substring(0, Math.min(MAXIMUM_REASON, blocked.length())));
        });
        return writer.toBytes();
    }

    static Map<Integer, Progress> decode(byte[] bytes) {
        FrameReader in = new FrameReader("an answer about buckets", bytes);
        in.version(VERSION);
        Map<Integer, Progress> held = new TreeMap<>();
        int count = in.u16();
        for (int i = 0; i < count; i++) {
            int bucket = in.u16();
            long applied = in.i64();
            long lagMillis = in.i64();
            long lagBytes = in.i64();
            String blocked = in.text();
            held.put(bucket, new Progress(applied, lagMillis, lagBytes, blocked.isEmpty() ? null : blocked));
        }
        return held;
    }
}

package io.heddle.core.delivery.bucket.remote;

import io.heddle.core.delivery.bucket.AppliedReport;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import java.util.HashMap;
import java.util.Map;

/**
 * The format of a frame that tells how far buckets are applied, on the control lane:
 *
 * <pre>
 * u8   version, 1
 * u16  number; for each: u16 bucket, i64 offset, u32 writes per second, u8 flags (bit 0 stalled, bit 1 stopped)
 * </pre>
 */
final class AppliedFrame {
    static final int KIND = PushFrame.FIRST_KIND + 3;

    private static final int VERSION = 1;
    private static final int STALLED = 1;
    private static final int STOPPED = 1 << 1;
    private static final long MAXIMUM_U32 = 0xffff_ffffL;

    private AppliedFrame() {}

    static byte[] encode(Map<Integer, AppliedReport> buckets) {
        BinaryWriter frame = new BinaryWriter().u8(VERSION).u16(buckets.size());
        buckets.forEach((bucket, report) -> frame.u16(bucket)
                .i64(report.offset())
                .u32(Math.min(report.writesPerSecond(), MAXIMUM_U32))
                .u8((report.isStalled() ? STALLED : 0) | (report.isStopped() ? STOPPED : 0)));
        return frame.toBytes();
    }

    /** Throws {@link io.heddle.core.message.frame.MalformedFrameException}. */
    static Map<Integer, AppliedReport> decode(byte[] bytes) {
        FrameReader reader = new FrameReader("a frame about applied buckets", bytes);
        reader.version(VERSION);
        int count = reader.u16();
        Map<Integer, AppliedReport> buckets = new HashMap<>();
        for (int i = 0; i < count; i++) {
            int bucket = reader.u16();
            long offset = reader.i64();
            long writesPerSecond = reader.u32();
            int flags = reader.u8();
            buckets.put(
                    bucket, new AppliedReport(offset, writesPerSecond, (flags & STALLED) != 0, (flags & STOPPED) != 0));
        }
        reader.finish();
        return buckets;
    }
}

package io.heddle.persistence.record;

import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;

/**
 * A command that the queues of its bucket rejected, as it is stored for people. Has no key.
 *
 * <pre>
 * u8    version, 1
 * text  topic that the command comes from
 * u32   partition
 * i64   offset
 * text  reason: the answer of the store, cut to 1,000 characters
 *       the value of the record as it was there, see {@link BucketCommandFormat}, to the end
 * </pre>
 */
public final class DeadLetterFormat {
    private static final String NAME = "a dead letter";
    private static final int VERSION = 1;
    private static final int LONGEST_REASON = 1_000;

    private DeadLetterFormat() {}

    /** The bytes of a dead letter. */
    public static byte[] encode(String topic, ToDeadLetters dead) {
        String reason = dead.reason();
        return new RecordWriter()
                .u8(VERSION)
                .text(topic)
                .u32(dead.bucket())
                .i64(dead.offset())
                .text(reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason)
                .raw(BucketCommandFormat.encode(dead.command()))
                .toBytes();
    }

    /**
     * Reads a dead letter of the bucket log.
     *
     * @throws UnreadableRecordException when it is cut off or of a later version
     */
    public static ToDeadLetters read(RecordReader reader) {
        reader.version(NAME, VERSION);
        var _ = reader.text();
        int bucket = (int) reader.u32();
        long offset = reader.i64();
        String reason = reader.text();
        return new ToDeadLetters(bucket, offset, BucketCommandFormat.read(reader), reason);
    }
}

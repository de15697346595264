package io.heddle.persistence.record;

import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;
import io.heddle.core.message.binary.BinaryWriter;

/**
 * The format of a dead letter: a command that Redis permanently rejected. The record has no key.
 *
 * <pre>
 * u8    version, 1
 * text  topic of the command
 * u32   partition
 * i64   offset
 * text  reason: the answer of Redis, truncated to 1,000 characters
 *       the value of the command's record, see {@link BucketCommandFormat}, to the end
 * </pre>
 */
public final class DeadLetterFormat {
    private static final String NAME = "a dead letter";
    private static final int VERSION = 1;
    private static final int MAXIMUM_REASON_CHARACTERS = 1_000;

    private DeadLetterFormat() {}

    public static byte[] encode(String topic, ToDeadLetters dead) {
        String reason = dead.reason();
        return new BinaryWriter()
                .u8(VERSION)
                .text(topic)
                .u32(dead.bucket())
                .i64(dead.offset())
                .text(
                        reason.length() > MAXIMUM_REASON_CHARACTERS
                                ? reason.substring(0, MAXIMUM_REASON_CHARACTERS)
                                : reason)
                .raw(BucketCommandFormat.encode(dead.command()))
                .toBytes();
    }

    /** @throws UnreadableRecordException when the record is truncated or of another version */
    public static ToDeadLetters read(RecordReader reader) {
        reader.version(NAME, VERSION);
        var _ = reader.text();
        int bucket = (int) reader.u32();
        long offset = reader.i64();
        String reason = reader.text();
        return new ToDeadLetters(bucket, offset, BucketCommandFormat.read(reader), reason);
    }
}

package io.heddle.persistence.record;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.message.binary.BinaryWriter;
import org.jspecify.annotations.Nullable;

/**
 * The format of the condition of a change, in a header of its record. A change without condition has no header.
 *
 * <pre>
 * u8   version, 1
 * u8   1: expired by; 2: repeated
 * i64  1: milliseconds since 1970; 2: the offset of the record that took no effect
 * </pre>
 */
public final class ConditionFormat {
    /** The key of the header. */
    public static final String HEADER = "condition";

    private static final String NAME = "the condition of a change";
    private static final int VERSION = 1;
    private static final int EXPIRED_BY = 1;
    private static final int REPEATED = 2;

    private ConditionFormat() {}

    /** Encodes a condition other than {@link ChangeCondition.Always}. */
    public static byte[] encode(ChangeCondition condition) {
        BinaryWriter writer = new BinaryWriter().u8(VERSION);
        return switch (condition) {
            case ChangeCondition.Always _ -> throw new IllegalArgumentException("a change that always takes effect");
            case ChangeCondition.ExpiredBy(long millis) ->
                writer.u8(EXPIRED_BY).i64(millis).toBytes();
            case ChangeCondition.Repeated(long overtaken) ->
                writer.u8(REPEATED).i64(overtaken).toBytes();
        };
    }

    /**
     * @param header null for a change without condition
     * @throws UnreadableRecordException when it is truncated or of another version
     */
    public static ChangeCondition read(@Nullable RecordReader header) {
        if (header == null) {
            return ChangeCondition.Always.ALWAYS;
        }
        header.version(NAME, VERSION);
        int kind = header.u8();
        ChangeCondition condition = switch (kind) {
            case EXPIRED_BY -> new ChangeCondition.ExpiredBy(header.i64());
            case REPEATED -> new ChangeCondition.Repeated(header.i64());
            default -> throw header.malformed(NAME + " of kind " + kind);
        };
        header.finish();
        return condition;
    }
}

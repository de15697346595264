package io.heddle.core.routing.interest;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.subscription.RemoteNode.Interest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames of interest. Each node sends the batches for another one with increasing numbers, from 1; the other one acknowledges them
 * cumulatively. A batch contains states, not changes, so that an entry may be repeated.
 *
 * <pre>
 * batch:
 *   u8   version, 1
 *   u8   bit 0: the receiver now knows everything that the sender announced before this batch
 *   i64  number
 *   u16  count, and for each filter
 *     u8   0 none, 1 QoS 0 only, 2 above QoS 0
 *     text filter, with the share prefix if any
 *     u32  members, at least 1                     (shared subscription, unless 0)
 *
 * acknowledgement:
 *   u8   version, 1
 *   i64  highest number that was applied
 * </pre>
 */
final class InterestFrame {
    /** The first kind of these frames. */
    static final int BATCH = 0x40;

    static final int ACKNOWLEDGEMENT = 0x41;
    /** The last kind that is reserved for interest. */
    static final int LAST_KIND = 0x4f;

    private static final int VERSION = 1;
    private static final int COMPLETE = 1;
    private static final int MAXIMUM_MEMBERS = 1_000_000;

    private InterestFrame() {}

    /**
     * The interest of a node in one filter.
     *
     * @param interest null for none
     * @param members of a shared subscription, at least 1; else 0
     */
    record Entry(TopicFilter filter, @Nullable Interest interest, int members) {}

    /** @param isComplete whether the receiver now knows everything that was announced before this batch */
    record Batch(long number, boolean isComplete, List<Entry> entries) {}

    static byte[] encode(Batch batch) {
        BinaryWriter out = new BinaryWriter()
                .u8(VERSION)
                .u8(batch.isComplete ? COMPLETE : 0)
                .i64(batch.number)
                .u16(batch.entries.size());
        for (Entry entry : batch.entries) {
            out.u8(level(entry.interest)).text(entry.filter.value());
            if (entry.interest != null && entry.filter.isShared()) {
                out.u32(entry.members);
            }
        }
        return out.toBytes();
    }

    static Batch decodeBatch(byte[] payload) {
        FrameReader in = new FrameReader("a batch of interest", payload);
        in.version(VERSION);
        boolean isComplete = (in.u8() & COMPLETE) != 0;
        long number = in.i64();
        int count = in.u16();
        List<Entry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Interest interest = interest(in);
            TopicFilter filter = in.filter();
            entries.add(new Entry(filter, interest, interest != null && filter.isShared() ? members(in) : 0));
        }
        in.finish();
        return new Batch(number, isComplete, entries);
    }

    private static int level(@Nullable Interest interest) {
        return switch (interest) {
            case null -> 0;
            case AT_MOST_ONCE -> 1;
            case ACKNOWLEDGED -> 2;
        };
    }

    private static @Nullable Interest interest(FrameReader in) {
        int level = in.u8();
        return switch (level) {
            case 0 -> null;
            case 1 -> Interest.AT_MOST_ONCE;
            case 2 -> Interest.ACKNOWLEDGED;
            default -> throw in.malformed("there is no interest " + level);
        };
    }

    private static int members(FrameReader in) {
        long members = in.u32();
        if (members == 0) {
            throw in.malformed("a shared subscription has no member");
        }
        return (int) Math.min(MAXIMUM_MEMBERS, members);
    }

    static byte[] encodeAcknowledgement(long number) {
        return new BinaryWriter().u8(VERSION).i64(number).toBytes();
    }

    static long decodeAcknowledgement(byte[] payload) {
        FrameReader in = new FrameReader("an acknowledgement of interest", payload);
        in.version(VERSION);
        long number = in.i64();
        in.finish();
        return number;
    }
}

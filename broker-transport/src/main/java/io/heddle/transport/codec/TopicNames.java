package io.heddle.transport.codec;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Cache of the topic names to which the connections of one event loop published recently, found by their bytes, so that a
 * repeated name is not validated and split again. Owned by that event loop.
 *
 * <p>Bound: {@value #SLOTS} names of at most {@value #LONGEST_BYTES} bytes. Each name has one slot; a later name with the same
 * slot replaces it. Nothing is allocated before the first name.
 */
@HotPath
public final class TopicNames {
    private static final int SLOT_BITS = 10;
    private static final int SLOTS = 1 << SLOT_BITS;
    private static final int LONGEST_BYTES = 256;
    // 2^64 divided by the golden ratio: odd, without a pattern in its bits.
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private @Nullable CachedName[] slots = {};

    static final class CachedName {
        private final TopicName topic;
        private final byte[] bytes;

        CachedName(TopicName topic, byte[] bytes) {
            this.topic = topic;
            this.bytes = bytes;
        }

        TopicName topic() {
            return topic;
        }

        /** Returns whether a range of a buffer equals this name. */
        boolean isAt(ByteBuf in, int start, int length) {
            byte[] own = bytes;
            if (own.length != length) {
                return false;
            }
            int i = 0;
            for (; i + Long.BYTES <= length; i += Long.BYTES) {
                if (in.getLong(start + i) != (long) LONGS.get(own, i)) {
                    return false;
                }
            }
            for (; i < length; i++) {
                if (in.getByte(start + i) != own[i]) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Returns the name in a range of a buffer, or null if it is not cached. */
    @Nullable
    CachedName find(ByteBuf in, int start, int length) {
        if (slots.length == 0 || length > LONGEST_BYTES) {
            return null;
        }
        CachedName known = slots[slot(in, start, length)];
        return known != null && known.isAt(in, start, length) ? known : null;
    }

    /** Caches the name in a range of a buffer. */
    void put(ByteBuf in, int start, int length, CachedName known) {
        if (length > LONGEST_BYTES) {
            return;
        }
        if (slots.length == 0) {
            slots = new CachedName[SLOTS];
        }
        slots[slot(in, start, length)] = known;
    }

    private static int slot(ByteBuf in, int start, int length) {
        long hash = length;
        int end = start + length;
        int i = start;
        for (; i + Long.BYTES <= end; i += Long.BYTES) {
            hash = mix(hash, in.getLong(i));
        }
        if (i < end) {
            // Names of eight bytes and more end with a full word that overlaps the previous one.
            hash = mix(hash, length >= Long.BYTES ? in.getLong(end - Long.BYTES) : fewBytes(in, i, end));
        }
        return (int) (hash >>> (Long.SIZE - SLOT_BITS));
    }

    private static long mix(long hash, long word) {
        long mixed = (hash ^ word) * MULTIPLIER;
        return mixed ^ (mixed >>> 32);
    }

    private static long fewBytes(ByteBuf in, int start, int end) {
        long word = 0;
        for (int i = start; i < end; i++) {
            word = (word << Byte.SIZE) | (in.getByte(i) & 0xFF);
        }
        return word;
    }
}

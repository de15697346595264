package io.heddle.core.operator.history;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.sys.history.HistoryPage;
import io.heddle.core.sys.history.Range;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The question about figures, and its answer. Values are the bits of {@link Float}.
 *
 * <pre>
 * question: u8 version, 1; u8 range, 1 for the hour and 2 for the day; u8 number of figures, 0 for all; each: text name
 * answer:   u8 version, 1; i64 the time of day at the node, i64 end of the last values, both in milliseconds since 1970; u16 number of figures;
 *           each: text name; a u32 for each value of the range
 * </pre>
 */
final class HistoryFormat {
    private static final int VERSION = 1;
    private static final int HOUR = 1;
    private static final int DAY = 2;

    private HistoryFormat() {}

    /** @param figures all if it is empty */
    record Question(Range range, Set<String> figures) {
        byte[] encode() {
            BinaryWriter out = new BinaryWriter()
                    .u8(VERSION)
                    .u8(range == Range.HOUR ? HOUR : DAY)
                    .u8(figures.size());
            figures.forEach(out::text);
            return out.toBytes();
        }

        static Question decode(byte[] bytes) {
            FrameReader in = new FrameReader("a question about figures", bytes);
            in.version(VERSION);
            Range range = in.u8() == HOUR ? Range.HOUR : Range.DAY;
            int count = in.u8();
            Set<String> figures = new TreeSet<>();
            for (int i = 0; i < count; i++) {
                figures.add(in.text());
            }
            in.finish();
            return new Question(range, figures);
        }
    }

    /**
     * Writes as many of the figures as fit.
     *
     * @param nowMillis the time of day at this node
     */
    static byte[] answer(HistoryPage page, long nowMillis, int maximumBytes) {
        int valueBytes = Integer.BYTES * page.range().length();
        BinaryWriter series = new BinaryWriter();
        int count = 0;
        for (Map.Entry<String, float[]> each : page.series().entrySet()) {
            if (series.length() + valueBytes + 100 > maximumBytes) {
                break;
            }
            series.text(each.getKey());
            for (float value : each.getValue()) {
                series.u32(Integer.toUnsignedLong(Float.floatToIntBits(value)));
            }
            count++;
        }
        return new BinaryWriter()
                .u8(VERSION)
                .i64(nowMillis)
                .i64(page.lastMillis())
                .u16(count)
                .raw(series.toBytes())
                .toBytes();
    }

    /**
     * Reads an answer. The times of a node whose clock is steps ahead or behind become those of this node, so that its values are merged with
     * values of the same time.
     *
     * @param nowMillis the time of day at this node
     */
    static HistoryPage answer(Range range, byte[] bytes, long nowMillis) {
        FrameReader in = new FrameReader("an answer about figures", bytes);
        in.version(VERSION);
        long aheadMillis = in.i64() - nowMillis;
        long lastMillis = in.i64();
        int count = in.u16();
        Map<String, float[]> series = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String name = in.text();
            float[] values = new float[range.length()];
            for (int value = 0; value < values.length; value++) {
                values[value] = Float.intBitsToFloat((int) in.u32());
            }
            series.put(name, values);
        }
        in.finish();
        long step = range.step().toMillis();
        long wrongMillis = Math.round((double) aheadMillis / step) * step;
        return new HistoryPage(range, lastMillis == 0 ? 0 : lastMillis - wrongMillis, series);
    }
}

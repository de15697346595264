package io.heddle.core.operator.top;

import io.heddle.core.client.Rates;
import io.heddle.core.client.activity.Ranking;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The question about the highest values, and its answer. Values are thousandths.
 *
 * <pre>
 * question: u8 version, 1; u16 limit
 * answer:   u8 version, 1; for each {@link Ranking}: i64 total; u16 number of entries; each: text key; i64 value
 * </pre>
 */
final class TopFormat {
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 10;
    private static final double SCALE = 1_000;

    private TopFormat() {}

    static byte[] question(int limit) {
        return new BinaryWriter().u8(VERSION).u16(limit).toBytes();
    }

    static int question(byte[] bytes) {
        FrameReader in = new FrameReader("a question about the highest values", bytes);
        in.version(VERSION);
        int limit = in.u16();
        in.finish();
        return limit;
    }

    /** Writes as many of the entries as fit, of each ranking as many bytes. */
    static byte[] answer(Map<Ranking, Rates> rankings, int limit, int maximumBytes) {
        int maximumOfRanking = maximumBytes / Ranking.values().length - HEADER_BYTES - 1;
        BinaryWriter out = new BinaryWriter().u8(VERSION);
        for (Ranking each : Ranking.values()) {
            Rates rates = rankings.getOrDefault(each, Rates.NONE);
            BinaryWriter entries = new BinaryWriter();
            BinaryWriter entry = new BinaryWriter();
            int count = 0;
            for (Map.Entry<String, Double> highest : rates.highest(limit)) {
                entry.clear();
                entry.text(highest.getKey()).i64(Math.round(highest.getValue() * SCALE));
                if (entries.length() + entry.length() > maximumOfRanking) {
                    break;
                }
                entries.raw(entry.toBytes());
                count++;
            }
            out.i64(Math.round(rates.total() * SCALE)).u16(count).raw(entries.toBytes());
        }
        return out.toBytes();
    }

    static Map<Ranking, Rates> answer(byte[] bytes) {
        FrameReader in = new FrameReader("an answer about the highest values", bytes);
        in.version(VERSION);
        Map<Ranking, Rates> rankings = new EnumMap<>(Ranking.class);
        for (Ranking each : List.of(Ranking.values())) {
            double total = in.i64() / SCALE;
            int count = in.u16();
            Map<String, Double> byKey = new HashMap<>();
            for (int i = 0; i < count; i++) {
                byKey.put(in.text(), in.i64() / SCALE);
            }
            rankings.put(each, new Rates(total, byKey));
        }
        in.finish();
        return rankings;
    }
}

package io.heddle.core.operator.top;

import io.heddle.core.client.ClientType;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import java.util.ArrayList;
import java.util.List;

/**
 * The question about slow clients, and its answer. The growth is in thousandths.
 *
 * <pre>
 * question: u8 version, 1; u16 limit
 * answer:   u8 version, 1; u16 number of clients; each: text client id; u8 APPLICATION; u8 has a user name; text user name;
 *           i64 since, in milliseconds since 1970; i64 waiting; u8 has a growth; i64 growth; u32 in flight; u32 maximum in flight; u8 reading; u8 limited;
 *           u32 maximum waiting
 * </pre>
 */
final class SlowClientFormat {
    private static final int VERSION = 1;
    private static final double SCALE = 1_000;

    private SlowClientFormat() {}

    static byte[] question(int limit) {
        return new BinaryWriter().u8(VERSION).u16(limit).toBytes();
    }

    static int question(byte[] bytes) {
        FrameReader in = new FrameReader("a question about slow clients", bytes);
        in.version(VERSION);
        int limit = in.u16();
        in.finish();
        return limit;
    }

    /** Writes as many of the first clients as fit. */
    static byte[] answer(List<SlowClient> clients, int maximumBytes) {
        BinaryWriter entries = new BinaryWriter();
        BinaryWriter entry = new BinaryWriter();
        int count = 0;
        for (SlowClient each : clients) {
            entry.clear();
            write(each, entry);
            if (3 + entries.length() + entry.length() > maximumBytes) {
                break;
            }
            entries.raw(entry.toBytes());
            count++;
        }
        return new BinaryWriter().u8(VERSION).u16(count).raw(entries.toBytes()).toBytes();
    }

    private static void write(SlowClient client, BinaryWriter out) {
        String userName = client.userName();
        boolean hasGrowth = !Double.isNaN(client.growth());
        out.text(client.clientId())
                .u8(client.type() == ClientType.APPLICATION ? 1 : 0)
                .u8(userName == null ? 0 : 1)
                .text(userName == null ? "" : userName)
                .i64(client.sinceMillis())
                .i64(client.waiting())
                .u8(hasGrowth ? 1 : 0)
                .i64(hasGrowth ? Math.round(client.growth() * SCALE) : 0)
                .u32(client.inFlight())
                .u32(client.maximumInFlight())
                .u8(client.isReading() ? 1 : 0)
                .u8(client.isLimited() ? 1 : 0)
                .u32(client.maximumWaiting());
    }

    static List<SlowClient> answer(byte[] bytes) {
        FrameReader in = new FrameReader("an answer about slow clients", bytes);
        in.version(VERSION);
        int count = in.u16();
        List<SlowClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(read(in));
        }
        in.finish();
        return clients;
    }

    private static SlowClient read(FrameReader in) {
        String clientId = in.text();
        ClientType type = in.u8() == 1 ? ClientType.APPLICATION : ClientType.DEVICE;
        boolean hasUserName = in.u8() == 1;
        String userName = in.text();
        long sinceMillis = in.i64();
        long waiting = in.i64();
        boolean hasGrowth = in.u8() == 1;
        double growth = in.i64() / SCALE;
        return new SlowClient(
                clientId,
                type,
                hasUserName ? userName : null,
                sinceMillis,
                waiting,
                hasGrowth ? growth : Double.NaN,
                (int) in.u32(),
                (int) in.u32(),
                in.u8() == 1,
                in.u8() == 1,
                (int) in.u32());
    }
}

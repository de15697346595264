package io.heddle.core.operator.refusal;

import io.heddle.core.client.RecentRefusals.Kind;
import io.heddle.core.client.RecentRefusals.Refusal;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * The question about refusals, and its answer. Times are microseconds since 1970.
 *
 * <pre>
 * question: u8 version, 1; text kind, or empty; text client id, or empty; text prefix of client ids; i64 before, or -1; u16 limit
 * answer:   u8 version, 1; u16 number of refusals; each:
 *           text kind; text reason; text detail; text client id; u8 has a user name; text user name; text address;
 *           i64 first; i64 last; i64 count
 * </pre>
 */
final class RefusalFormat {
    private static final int VERSION = 1;
    private static final int NO_TIME = -1;
    /** More than the bytes of one refusal, whose texts are short. */
    private static final int MAXIMUM_ENTRY_BYTES = 4_096;

    private RefusalFormat() {}

    static byte[] question(RefusalQuery query) {
        return new BinaryWriter()
                .u8(VERSION)
                .text(query.kind() == null ? "" : query.kind().name())
                .text(query.clientId() == null ? "" : query.clientId())
                .text(query.clientIdPrefix())
                .i64(query.before() == null ? NO_TIME : micros(query.before()))
                .u16(query.limit())
                .toBytes();
    }

    static RefusalQuery question(byte[] bytes) {
        FrameReader in = new FrameReader("a question about refusals", bytes);
        in.version(VERSION);
        String kind = in.text();
        String clientId = in.text();
        String prefix = in.text();
        long before = in.i64();
        return new RefusalQuery(
                kind.isEmpty() ? null : kind(in, kind),
                clientId.isEmpty() ? null : clientId,
                prefix,
                before == NO_TIME ? null : time(before),
                in.u16());
    }

    /** Writes as many of the refusals as fit. */
    static byte[] answer(List<Refusal> refusals, int maximumBytes) {
        List<Refusal> fitting = refusals.subList(0, Math.min(refusals.size(), maximumBytes / MAXIMUM_ENTRY_BYTES));
        BinaryWriter out = new BinaryWriter().u8(VERSION).u16(fitting.size());
        for (Refusal each : fitting) {
            String userName = each.userName();
            out.text(each.kind().name())
                    .text(each.reason())
                    .text(each.detail())
                    .text(each.clientId())
                    .u8(userName == null ? 0 : 1)
                    .text(userName == null ? "" : userName)
                    .text(each.address())
                    .i64(micros(each.first()))
                    .i64(micros(each.last()))
                    .i64(each.count());
        }
        return out.toBytes();
    }

    static List<Refusal> answer(byte[] bytes) {
        FrameReader in = new FrameReader("an answer about refusals", bytes);
        in.version(VERSION);
        List<Refusal> refusals = new ArrayList<>();
        int count = in.u16();
        for (int i = 0; i < count; i++) {
            Kind kind = kind(in, in.text());
            String reason = in.text();
            String detail = in.text();
            String clientId = in.text();
            boolean hasUserName = in.u8() == 1;
            String userName = in.text();
            String address = in.text();
            Instant first = time(in.i64());
            Instant last = time(in.i64());
            refusals.add(new Refusal(
                    kind, reason, detail, clientId, hasUserName ? userName : null, address, first, last, in.i64()));
        }
        return refusals;
    }

    private static Kind kind(FrameReader in, String name) {
        try {
            return Kind.valueOf(name);
        } catch (IllegalArgumentException unknown) {
            throw in.malformed("there is no kind " + name);
        }
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    private static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}

package io.heddle.core.operator.rule;

import io.heddle.core.authorization.Action;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.mqtt.QoS;
import java.util.ArrayList;
import java.util.List;

/**
 * The decisions in the answer of a node about proposed rules.
 *
 * <pre>
 * i64 sampled; i64 distinct; i64 since; i64 would deny; i64 would allow; u16 number of changes
 * each: text client id; u8 has a user name; text user name; u8 action, 0 publish, 1 subscribe; text topic; u8 QoS; u8 retain;
 *       u8 was allowed; i64 count; i64 time of the last one
 * </pre>
 */
final class RehearsalFormat {
    private static final int HEADER_BYTES = 42;

    private RehearsalFormat() {}

    /** Writes as many of the first changes as fit. */
    static void encode(BinaryWriter out, RehearsedDecisions rehearsed, int maximumBytes) {
        List<ChangedDecision> fitting = new ArrayList<>();
        int bytes = HEADER_BYTES;
        for (ChangedDecision each : rehearsed.changes()) {
            BinaryWriter encoded = new BinaryWriter();
            encode(encoded, each);
            bytes += encoded.length();
            if (bytes > maximumBytes) {
                break;
            }
            fitting.add(each);
        }
        out.i64(rehearsed.sampled())
                .i64(rehearsed.distinct())
                .i64(rehearsed.sinceMillis())
                .i64(rehearsed.wouldDeny())
                .i64(rehearsed.wouldAllow())
                .u16(fitting.size());
        fitting.forEach(each -> encode(out, each));
    }

    private static void encode(BinaryWriter out, ChangedDecision change) {
        String userName = change.userName();
        out.text(change.clientId())
                .u8(userName == null ? 0 : 1)
                .text(userName == null ? "" : userName)
                .u8(change.action() == Action.PUBLISH ? 0 : 1)
                .text(change.topic())
                .u8(change.qos().level())
                .u8(change.retain() ? 1 : 0)
                .u8(change.wasAllowed() ? 1 : 0)
                .i64(change.count())
                .i64(change.lastMillis());
    }

    /**
     * Reads the decisions.
     *
     * @throws MalformedFrameException if they are truncated or unknown
     */
    static RehearsedDecisions decode(FrameReader in) {
        long sampled = in.i64();
        long distinct = in.i64();
        long sinceMillis = in.i64();
        long wouldDeny = in.i64();
        long wouldAllow = in.i64();
        List<ChangedDecision> changes = new ArrayList<>();
        int count = in.u16();
        for (int i = 0; i < count; i++) {
            changes.add(decodeChange(in));
        }
        return new RehearsedDecisions(sampled, distinct, sinceMillis, wouldDeny, wouldAllow, changes);
    }

    private static ChangedDecision decodeChange(FrameReader in) {
        String clientId = in.text();
        boolean hasUserName = in.u8() == 1;
        String userName = in.text();
        Action action = in.u8() == 0 ? Action.PUBLISH : Action.SUBSCRIBE;
        String topic = in.text();
        int qos = in.u8();
        if (qos > QoS.EXACTLY_ONCE.level()) {
            throw in.malformed("a QoS of " + qos);
        }
        return new ChangedDecision(
                clientId,
                hasUserName ? userName : null,
                action,
                topic,
                QoS.ofLevel(qos),
                in.u8() == 1,
                in.u8() == 1,
                in.i64(),
                in.i64(),
                List.of());
    }
}

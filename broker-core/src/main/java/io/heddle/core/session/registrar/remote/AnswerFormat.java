package io.heddle.core.session.registrar.remote;

import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.OpenOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The format of answers of the registrar; its parts are in {@link RecordParts}. Stateless, any thread.
 *
 * <pre>
 * open:
 *   u8   1 opened, 2 transient, 3 to 5 refused (other user, no room, quota), 6 unavailable, 7 refused (connected)
 *   opened:
 *     i64  generation
 *          registration: i64 generation, i64 epoch, text previous node, i64 previous epoch, i64 head, i64 tail, i64 sent up to,
 *          u32 count, u16 Packet Identifiers and {@link MessageName}, u32 count and i64 sequence numbers, i64 view of the bucket, i64 applied offset
 *     optional record before
 *     u8   whether its queue has dropped messages
 *   transient:
 *     i64  number of the connection, or 0
 *   unavailable:
 *     u8   reason code
 *     text detail
 *
 * departure:
 *   u8   0 failed, 1 left, 2 moved
 *
 * change of subscriptions:
 *   u8   1 changed, 2 not held, 3 failed, 4 moved
 *   changed:
 *     u32  count, and u8 reason codes
 *     u32  count, and u32 positions of the filters whose retained messages are sent
 *   failed:
 *     text detail
 * </pre>
 */
final class AnswerFormat {
    private static final int OPENED = 1;
    private static final int TRANSIENT = 2;
    private static final int OTHER_USER = 3;
    private static final int NO_ROOM = 4;
    private static final int OWNER_QUOTA = 5;
    private static final int UNAVAILABLE = 6;
    private static final int CONNECTED = 7;

    private static final int CHANGED = 1;
    private static final int NOT_HELD = 2;
    private static final int FAILED = 3;

    private AnswerFormat() {}

    static void write(OpenOutcome outcome, BinaryWriter out) {
        switch (outcome) {
            case OpenOutcome.Opened opened -> {
                out.u8(OPENED).i64(opened.generation());
                write(opened.registration(), out);
                RecordParts.write(opened.before(), out);
                out.u8(opened.hasMissed() ? 1 : 0);
            }
            case OpenOutcome.Transient(long number) -> out.u8(TRANSIENT).i64(number);
            case OpenOutcome.Refused refused ->
                out.u8(
                        switch (refused) {
                            case OTHER_USER -> OTHER_USER;
                            case NO_ROOM -> NO_ROOM;
                            case OWNER_QUOTA -> OWNER_QUOTA;
                            case CONNECTED -> CONNECTED;
                        });
            case OpenOutcome.Unavailable(ReasonCode reason, String detail) ->
                out.u8(UNAVAILABLE).u8(reason.code()).text(detail);
            case OpenOutcome.Moved _ ->
                throw new IllegalArgumentException("a bucket that has moved is RegistrarFrame.Again");
        }
    }

    static OpenOutcome readOpenOutcome(FrameReader in) {
        int kind = in.u8();
        return switch (kind) {
            case OPENED ->
                new OpenOutcome.Opened(in.i64(), readRegistration(in), RecordParts.readRecord(in), in.u8() == 1);
            case TRANSIENT -> new OpenOutcome.Transient(in.i64());
            case OTHER_USER -> OpenOutcome.Refused.OTHER_USER;
            case NO_ROOM -> OpenOutcome.Refused.NO_ROOM;
            case OWNER_QUOTA -> OpenOutcome.Refused.OWNER_QUOTA;
            case CONNECTED -> OpenOutcome.Refused.CONNECTED;
            case UNAVAILABLE -> new OpenOutcome.Unavailable(RecordParts.readReason(in), in.text());
            default -> throw in.malformed("there is no outcome " + kind + " of an opening");
        };
    }

    private static void write(Registration registration, BinaryWriter out) {
        out.i64(registration.generation())
                .i64(registration.epoch())
                .text(registration.previousOwner())
                .i64(registration.previousEpoch())
                .i64(registration.head())
                .i64(registration.tail())
                .i64(registration.sentUpTo())
                .u32(registration.inboundReceived().size());
        registration.inboundReceived().forEach((packetId, name) -> name.write(out.u16(packetId)));
        out.u32(registration.outboundReceived().size());
        for (long sequence : registration.outboundReceived()) {
            out.i64(sequence);
        }
        out.i64(registration.position().viewId()).i64(registration.position().appliedOffset());
    }

    private static Registration readRegistration(FrameReader in) {
        long generation = in.i64();
        long epoch = in.i64();
        String previousOwner = in.text();
        long previousEpoch = in.i64();
        long head = in.i64();
        long tail = in.i64();
        long sentUpTo = in.i64();
        int packetIds = count(in, Short.BYTES + MessageName.BYTES);
        SortedMap<Integer, MessageName> inboundReceived = new TreeMap<>();
        for (int i = 0; i < packetIds; i++) {
            inboundReceived.put(in.u16(), MessageName.read(in));
        }
        int sequences = count(in, Long.BYTES);
        List<Long> outboundReceived = new ArrayList<>(sequences);
        for (int i = 0; i < sequences; i++) {
            outboundReceived.add(in.i64());
        }
        return new Registration(
                generation,
                epoch,
                previousOwner,
                previousEpoch,
                head,
                tail,
                sentUpTo,
                inboundReceived,
                outboundReceived,
                new BucketPosition(in.i64(), in.i64()));
    }

    static void write(ChangeOutcome outcome, BinaryWriter out) {
        switch (outcome) {
            case ChangeOutcome.Changed(List<ReasonCode> reasons, List<Integer> withRetained) -> {
                out.u8(CHANGED).u32(reasons.size());
                for (ReasonCode reason : reasons) {
                    out.u8(reason.code());
                }
                out.u32(withRetained.size());
                for (int position : withRetained) {
                    out.u32(position);
                }
            }
            case ChangeOutcome.NotHeld _ -> out.u8(NOT_HELD);
            case ChangeOutcome.Failed(String detail) -> out.u8(FAILED).text(detail);
            case ChangeOutcome.Moved _ ->
                throw new IllegalArgumentException("a bucket that has moved is RegistrarFrame.Again");
        }
    }

    static ChangeOutcome readChangeOutcome(FrameReader in) {
        int kind = in.u8();
        return switch (kind) {
            case CHANGED -> readChanged(in);
            case NOT_HELD -> new ChangeOutcome.NotHeld();
            case FAILED -> new ChangeOutcome.Failed(in.text());
            default -> throw in.malformed("there is no outcome " + kind + " of a change");
        };
    }

    private static ChangeOutcome.Changed readChanged(FrameReader in) {
        int count = count(in, Byte.BYTES);
        List<ReasonCode> reasons = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            reasons.add(RecordParts.readReason(in));
        }
        int positions = count(in, Integer.BYTES);
        List<Integer> withRetained = new ArrayList<>(positions);
        for (int i = 0; i < positions; i++) {
            long position = in.u32();
            if (position >= count) {
                throw in.malformed("there is no filter " + position);
            }
            withRetained.add((int) position);
        }
        return new ChangeOutcome.Changed(reasons, withRetained);
    }

    private static int count(FrameReader in, int bytesEach) {
        long count = in.u32();
        if (count > in.remaining() / bytesEach) {
            throw in.malformed(count + " entries exceed its size");
        }
        return (int) count;
    }
}

package io.heddle.core.session.registrar.remote;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.message.frame.MessageFrame;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.persistent.SessionRecord;
import org.jspecify.annotations.Nullable;

/**
 * The parts that several frames of the registrar contain. Stateless, any thread.
 *
 * <pre>
 * optional text: u8 0 for null; or 1, and the text
 *
 * will: u8 0 for none; or 1, and
 *   u32  Will Delay Interval, seconds
 *   u32  length, and the will as a {@link MessageFrame} that never expires
 *
 * optional record of a session: u8 0 for none; or 1, and
 *   i64  generation
 *   i64  epoch
 *   u8   1 for APPLICATION, 0 for DEVICE
 *   u32  Session Expiry Interval, seconds
 *   i64  time of disconnection, milliseconds since 1970, or 0
 *   text incarnation of the node that the client is connected to, or empty
 *   optional text user name
 *   will
 * </pre>
 */
final class RecordParts {
    // The receiver knows the client of a will.
    private static final ClientId NO_PUBLISHER = new ClientId("-");

    private RecordParts() {}

    static void write(@Nullable String text, BinaryWriter out) {
        if (text == null) {
            out.u8(0);
        } else {
            out.u8(1).text(text);
        }
    }

    static @Nullable String readText(FrameReader in) {
        return in.u8() == 0 ? null : in.text();
    }

    static void write(ClientType type, BinaryWriter out) {
        out.u8(type == ClientType.APPLICATION ? 1 : 0);
    }

    static ClientType readType(FrameReader in) {
        return in.u8() == 0 ? ClientType.DEVICE : ClientType.APPLICATION;
    }

    static ReasonCode readReason(FrameReader in) {
        int code = in.u8();
        ReasonCode reason = ReasonCode.ofCode(code);
        if (reason == null) {
            throw in.malformed("there is no reason code " + code);
        }
        return reason;
    }

    static void write(@Nullable WillMessage will, BinaryWriter out) {
        if (will == null) {
            out.u8(0);
            return;
        }
        BinaryWriter message = new BinaryWriter();
        MessageFrame.write(
                new PublishMessage(
                        NO_PUBLISHER,
                        will.topic(),
                        will.qos(),
                        will.retain(),
                        will.properties(),
                        will.payload(),
                        PublishMessage.NEVER_EXPIRES),
                0,
                message);
        byte[] bytes = message.toBytes();
        out.u8(1).u32(will.delaySeconds()).u32(bytes.length).raw(bytes);
    }

    static @Nullable WillMessage readWill(FrameReader in) {
        if (in.u8() == 0) {
            return null;
        }
        long delaySeconds = in.u32();
        long length = in.u32();
        if (length > in.remaining()) {
            throw in.malformed("a will of " + length + " bytes exceeds its size");
        }
        PublishMessage message = MessageFrame.read(new FrameReader("a will", in.raw((int) length)), 0);
        return new WillMessage(
                message.topic(),
                message.payload(),
                message.qos(),
                message.retain(),
                delaySeconds,
                message.properties());
    }

    static void write(@Nullable SessionRecord session, BinaryWriter out) {
        if (session == null) {
            out.u8(0);
            return;
        }
        out.u8(1).i64(session.generation()).i64(session.epoch());
        write(session.type(), out);
        out.u32(session.expirySeconds()).i64(session.awaySinceMillis()).text(session.owner());
        write(session.userName(), out);
        write(session.will(), out);
    }

    static @Nullable SessionRecord readRecord(FrameReader in) {
        if (in.u8() == 0) {
            return null;
        }
        long generation = in.i64();
        long epoch = in.i64();
        ClientType type = readType(in);
        long expirySeconds = in.u32();
        long awaySinceMillis = in.i64();
        String owner = in.text();
        String userName = readText(in);
        return new SessionRecord(
                generation, type, userName, expirySeconds, owner, epoch, awaySinceMillis, readWill(in));
    }
}

package io.heddle.core.delivery.node;

import io.heddle.core.cluster.MessageName;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.message.frame.MessageFrame;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.routing.NodeRecipients;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames of forwarded messages. The numbers of a lane increase from 1, with gaps. A receipt is cumulative for its lane.
 *
 * <pre>
 * message, on a data lane:
 *   u8   version, 4
 *   u8   bit 0: for sessions that end with their connections, bit 1: for persistent sessions at QoS 0, bit 2: has a number,
 *        bit 3: for members of shared subscriptions, bit 4: has a name
 *   u16  number of these persistent sessions, at most 65535  (bit 1)
 *   i64  number of the latest connect, see {@link ConnectNumbers} (bit 1)
 *   i64  number                                              (bit 2)
 *        {@link MessageName}                                 (bit 4)
 *   u8   number of nodes that have passed it on              (bit 3)
 *   u16  count, and filters with their share prefix          (bit 3)
 *        the message, as {@link MessageFrame}
 *
 * receipt, on the control lane:
 *   u8   version, 1
 *   u8   lane
 *   i64  highest number such that all messages up to it are handed over, except these
 *   u16  count, and i64 numbers
 * </pre>
 */
final class ForwardFrame {
    // Of the kinds 0x30 to 0x3f, which are reserved for forwarding.
    static final int MESSAGE = 0x30;
    static final int RECEIPT = 0x31;

    /** The number of a message without receipt. */
    static final long NO_NUMBER = 0;

    private static final int VERSION = 1;
    private static final int MESSAGE_VERSION = 4;
    private static final int MAXIMUM_PERSISTENT = 0xffff;
    private static final int NUMBERED = 1 << 2;
    private static final int TO_GROUPS = 1 << 3;
    private static final int NAMED = 1 << 4;
    private static final int PURPOSES = NodeRecipients.SUBSCRIBERS | NodeRecipients.PERSISTENT;

    private ForwardFrame() {}

    /**
     * What a frame says besides the message.
     *
     * @param purposes constants of {@link NodeRecipients}
     * @param persistent the number of persistent sessions that get the message at QoS 0
     * @param connectNumber of the latest connect of a persistent session to the node that its sender knows
     * @param name of a QoS 2 message for sessions that end with their connections, or null
     * @param hops the number of nodes that have passed the message on
     * @param groups the filters of shared subscriptions
     */
    record Envelope(
            int purposes,
            int persistent,
            long connectNumber,
            @Nullable MessageName name,
            int hops,
            List<String> groups) {}

    /** A frame that was read. */
    record Forwarded(
            int purposes,
            int persistent,
            long connectNumber,
            long number,
            @Nullable MessageName name,
            int hops,
            List<TopicFilter> groups,
            PublishMessage message) {}

    /**
     * A receipt.
     *
     * @param number all messages up to this one are handed over
     * @param except the numbers of those that are not, in ascending order
     */
    record Receipt(int lane, long number, List<Long> except) {}

    /** Encodes the part of a frame that is the same for all nodes. */
    static byte[] encode(PublishMessage message, long nowMillis) {
        BinaryWriter out = new BinaryWriter();
        MessageFrame.write(message, nowMillis, out);
        return out.toBytes();
    }

    /** @param number above 0, or {@link #NO_NUMBER} */
    static byte[] encode(Envelope envelope, long number, byte[] message) {
        boolean toGroups = !envelope.groups.isEmpty();
        BinaryWriter out = new BinaryWriter()
                .u8(MESSAGE_VERSION)
                .u8((envelope.purposes & PURPOSES)
                        | (number == NO_NUMBER ? 0 : NUMBERED)
                        | (toGroups ? TO_GROUPS : 0)
                        | (envelope.name == null ? 0 : NAMED));
        if ((envelope.purposes & NodeRecipients.PERSISTENT) != 0) {
            out.u16(Math.min(envelope.persistent, MAXIMUM_PERSISTENT)).i64(envelope.connectNumber);
        }
        if (number != NO_NUMBER) {
            out.i64(number);
        }
        if (envelope.name != null) {
            envelope.name.write(out);
        }
        if (toGroups) {
            out.u8(envelope.hops).u16(envelope.groups.size());
            for (String filter : envelope.groups) {
                out.text(filter);
            }
        }
        return out.raw(message).toBytes();
    }

    static Forwarded decode(byte[] payload, long nowMillis) {
        FrameReader in = new FrameReader("a forwarded message", payload);
        in.version(MESSAGE_VERSION);
        int flags = in.u8();
        boolean toPersistent = (flags & NodeRecipients.PERSISTENT) != 0;
        int persistent = toPersistent ? in.u16() : 0;
        long connectNumber = toPersistent ? in.i64() : 0;
        long number = (flags & NUMBERED) == 0 ? NO_NUMBER : in.i64();
        MessageName name = (flags & NAMED) == 0 ? null : MessageName.read(in);
        int hops = 0;
        List<TopicFilter> groups = List.of();
        if ((flags & TO_GROUPS) != 0) {
            hops = in.u8();
            int count = in.u16();
            groups = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                groups.add(in.filter());
            }
        }
        return new Forwarded(
                flags & PURPOSES,
                persistent,
                connectNumber,
                number,
                name,
                hops,
                groups,
                MessageFrame.read(in, nowMillis));
    }

    static byte[] encode(Receipt receipt) {
        BinaryWriter out = new BinaryWriter()
                .u8(VERSION)
                .u8(receipt.lane)
                .i64(receipt.number)
                .u16(receipt.except.size());
        for (long number : receipt.except) {
            out.i64(number);
        }
        return out.toBytes();
    }

    static Receipt decodeReceipt(byte[] payload) {
        FrameReader in = new FrameReader("a receipt of forwarded messages", payload);
        in.version(VERSION);
        int lane = in.u8();
        long number = in.i64();
        int count = in.u16();
        List<Long> except = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            except.add(in.i64());
        }
        in.finish();
        return new Receipt(lane, number, except);
    }
}

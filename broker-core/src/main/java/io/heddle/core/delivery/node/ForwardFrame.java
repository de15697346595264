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
 *   u8   version, 5
 *   u8   bit 0: for sessions that end with their connections, bit 1: for persistent sessions at QoS 0, bit 2: has a number,
 *        bit 3: for members of shared subscriptions, bit 4: has a name
 *   u16  number of these persistent sessions, at most 65535  (bit 1)
 *   i64  number of the latest connect, see {@link ConnectNumbers} (bit 1)
 *   i64  number                                              (bit 2)
 *        {@link MessageName}                                 (bit 4)
 *   u16  count, and filters with their share prefix          (bit 3)
 *        the message, as {@link MessageFrame}
 *
 * receipt, on the control lane:
 *   u8   version, 2
 *   u8   lane
 *   i64  highest number such that all messages up to it are handed over or returned
 *   u16  count, and for each returned message, in ascending order
 *     i64  number
 *     u16  count, and the filters of shared subscriptions of which the node has no member
 * </pre>
 */
final class ForwardFrame {
    // Of the kinds 0x30 to 0x3f, which are reserved for forwarding.
    static final int MESSAGE = 0x30;
    static final int RECEIPT = 0x31;

    /** The number of a message without receipt. */
    static final long NO_NUMBER = 0;

    private static final int RECEIPT_VERSION = 2;
    private static final int MESSAGE_VERSION = 5;
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
     * @param groups the filters of shared subscriptions
     */
    record Envelope(
            int purposes,
            int persistent,
            long connectNumber,
            @Nullable MessageName name,
            List<String> groups) {
        List<TopicFilter> sharedFilters() {
            return groups.stream()
                    .map(each -> TopicFilter.parse(each, Integer.MAX_VALUE))
                    .toList();
        }

        /** Returns whether the message is also for others than members of shared subscriptions. */
        boolean isForOthers() {
            return (purposes & PURPOSES) != 0;
        }
    }

    /** A frame that was read. */
    record Forwarded(
            int purposes,
            int persistent,
            long connectNumber,
            long number,
            @Nullable MessageName name,
            List<TopicFilter> groups,
            PublishMessage message) {}

    /**
     * A receipt.
     *
     * @param number all messages up to this one are handed over
     * @param returned in ascending order of their numbers, at most {@code number}
     */
    record Receipt(int lane, long number, List<Returned> returned) {}

    /**
     * A message that the node has handed over, except to a member of some shared subscriptions, because it has none.
     *
     * @param filters with their share prefixes
     */
    record Returned(long number, List<TopicFilter> filters) {}

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
            out.u16(envelope.groups.size());
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
        List<TopicFilter> groups = (flags & TO_GROUPS) == 0 ? List.of() : filters(in);
        return new Forwarded(
                flags & PURPOSES, persistent, connectNumber, number, name, groups, MessageFrame.read(in, nowMillis));
    }

    private static List<TopicFilter> filters(FrameReader in) {
        int count = in.u16();
        List<TopicFilter> filters = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            filters.add(in.filter());
        }
        return filters;
    }

    static byte[] encode(Receipt receipt) {
        BinaryWriter out = new BinaryWriter()
                .u8(RECEIPT_VERSION)
                .u8(receipt.lane)
                .i64(receipt.number)
                .u16(receipt.returned.size());
        for (Returned message : receipt.returned) {
            out.i64(message.number).u16(message.filters.size());
            for (TopicFilter filter : message.filters) {
                out.text(filter.value());
            }
        }
        return out.toBytes();
    }

    static Receipt decodeReceipt(byte[] payload) {
        FrameReader in = new FrameReader("a receipt of forwarded messages", payload);
        in.version(RECEIPT_VERSION);
        int lane = in.u8();
        long number = in.i64();
        int count = in.u16();
        List<Returned> returned = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            returned.add(new Returned(in.i64(), filters(in)));
        }
        in.finish();
        return new Receipt(lane, number, returned);
    }
}

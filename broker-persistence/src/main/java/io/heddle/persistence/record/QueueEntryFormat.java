package io.heddle.persistence.record;

import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.mqtt.QoS;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The format of an entry of a DEVICE client's queue. The script writes the sequence as the first part, so that scripts find it without
 * knowing the rest. The message is the last part and has the same bytes for every recipient.
 *
 * <pre>
 * i64  sequence of the message in its queue
 * u8   version, 2
 * u8   bits 0-1 QoS of the delivery, bit 2 RETAIN of the delivery, bit 3 has Subscription Identifiers, bit 4 has a
 *      shared subscription
 * u16  count, and Subscription Identifiers, u32 each    (bit 3)
 * text filter of the shared subscription, with its prefix  (bit 4)
 *      message, see {@link MessageFormat}
 * </pre>
 */
public final class QueueEntryFormat {
    private static final String NAME = "a queue entry";
    private static final int VERSION = 2;

    private static final int QOS = 0b11;
    private static final int RETAIN = 1 << 2;
    private static final int IDENTIFIERS = 1 << 3;
    private static final int SHARED = 1 << 4;

    private QueueEntryFormat() {}

    /** Writes the part between the sequence and the message: the delivery options of this recipient. */
    public static void writeDelivery(QueueRecipient recipient, BinaryWriter writer) {
        List<Integer> identifiers = recipient.subscriptionIdentifiers();
        String sharedFilter = recipient.sharedFilter();
        writer.u8(VERSION)
                .u8(recipient.qos().level()
                        | (recipient.retain() ? RETAIN : 0)
                        | (identifiers.isEmpty() ? 0 : IDENTIFIERS)
                        | (sharedFilter == null ? 0 : SHARED));
        if (!identifiers.isEmpty()) {
            if (identifiers.size() > BinaryWriter.MAXIMUM_U16) {
                throw new IllegalArgumentException(identifiers.size()
                        + " Subscription Identifiers, but the limit of an entry is " + BinaryWriter.MAXIMUM_U16);
            }
            writer.u16(identifiers.size());
            for (int i = 0; i < identifiers.size(); i++) {
                writer.u32(identifiers.get(i));
            }
        }
        if (sharedFilter != null) {
            writer.text(sharedFilter);
        }
    }

    /** Reads only the sequence of an entry. */
    public static long sequence(byte[] entry, Supplier<String> where) {
        return new RecordReader(entry, where).i64();
    }

    /**
     * @param received whether PUBREC was received for the entry
     * @param where the key of the queue
     * @throws UnreadableRecordException when the entry is truncated or of another version
     */
    public static QueuePage.Entry read(byte[] entry, boolean received, Supplier<String> where) {
        RecordReader reader = new RecordReader(entry, where);
        long sequence = reader.i64();
        reader.version(NAME, VERSION);
        int flags = reader.u8();
        QoS qos = reader.qos(flags & QOS);
        List<Integer> identifiers = List.of();
        if ((flags & IDENTIFIERS) != 0) {
            int count = reader.u16();
            identifiers = new ArrayList<>(Math.min(count, reader.remaining() / Integer.BYTES));
            for (int i = 0; i < count; i++) {
                identifiers.add((int) reader.u32());
            }
        }
        String sharedFilter = (flags & SHARED) == 0 ? null : reader.text();
        return new QueuePage.Entry(
                sequence, MessageFormat.read(reader), qos, (flags & RETAIN) != 0, identifiers, received, sharedFilter);
    }
}

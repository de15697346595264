package io.heddle.persistence.record;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Acknowledged;
import io.heddle.core.delivery.log.BucketCommand.Cleared;
import io.heddle.core.delivery.log.BucketCommand.ClientAcknowledgement;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.delivery.log.BucketCommand.InboundReleased;
import io.heddle.core.delivery.log.BucketCommand.OutboundReceived;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.message.binary.BinaryWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of a bucket command. The record has no key.
 *
 * <pre>
 * u8   version, 3
 * u8   command: 1 Enqueue, 2 OutboundReceived, 3 InboundReceived, 4 InboundReleased, 6 Acknowledged, 7 Cleared
 *
 * Enqueue
 * u16  number of recipients, 1 to 1,000; each:
 * text   client id
 * i64    generation of the session
 * u8     bits 0-1 QoS, bit 2 RETAIN, bit 3 has Subscription Identifiers, bit 4 has a shared subscription
 * u16    count, and Subscription Identifiers, u32 each (bit 3)
 * text   filter of the shared subscription, with its prefix  (bit 4)
 *      the message, see {@link MessageFormat}, to the end
 *
 * OutboundReceived
 * text client id
 * i64  generation
 * i64  sequence
 *
 * InboundReceived
 * text client id
 * i64  generation
 * u16  Packet Identifier
 *      the name of the message, see {@link MessageName}
 *
 * InboundReleased
 * text client id
 * i64  generation
 * u16  Packet Identifier
 *
 * Cleared
 * text client id
 * i64  generation
 *
 * Acknowledged
 * u16  number of clients, 1 to 1,000; each:
 * text   client id
 * i64    generation
 * i64    sequence up to which everything is acknowledged
 * u16    number of acknowledged ranges above it; each:
 * i64      first sequence
 * u32      number of sequences
 * </pre>
 */
public final class BucketCommandFormat {
    private static final String NAME = "a bucket command";
    private static final int VERSION = 3;

    private static final int ENQUEUE = 1;
    private static final int OUTBOUND_RECEIVED = 2;
    private static final int INBOUND_RECEIVED = 3;
    private static final int INBOUND_RELEASED = 4;
    private static final int ACKNOWLEDGED = 6;
    private static final int CLEARED = 7;

    private static final int QOS = 0b11;
    private static final int RETAIN = 1 << 2;
    private static final int IDENTIFIERS = 1 << 3;
    private static final int SHARED = 1 << 4;

    private BucketCommandFormat() {}

    public static byte[] encode(BucketCommand command) {
        BinaryWriter writer = new BinaryWriter().u8(VERSION);
        switch (command) {
            case Enqueue enqueue -> {
                writer.u8(ENQUEUE).u16(enqueue.recipients().size());
                for (QueueRecipient recipient : enqueue.recipients()) {
                    write(recipient, writer);
                }
                MessageFormat.write(enqueue.message(), writer);
            }
            case OutboundReceived received ->
                writer.u8(OUTBOUND_RECEIVED)
                        .text(received.clientId().value())
                        .i64(received.generation())
                        .i64(received.sequence());
            case InboundReceived received ->
                received.name()
                        .write(writer.u8(INBOUND_RECEIVED)
                                .text(received.clientId().value())
                                .i64(received.generation())
                                .u16(received.packetId()));
            case InboundReleased released ->
                writer.u8(INBOUND_RELEASED)
                        .text(released.clientId().value())
                        .i64(released.generation())
                        .u16(released.packetId());
            case Cleared cleared ->
                writer.u8(CLEARED).text(cleared.clientId().value()).i64(cleared.generation());
            case Acknowledged acknowledged -> write(acknowledged, writer.u8(ACKNOWLEDGED));
        }
        return writer.toBytes();
    }

    private static void write(Acknowledged acknowledged, BinaryWriter writer) {
        writer.u16(acknowledged.clients().size());
        for (ClientAcknowledgement client : acknowledged.clients()) {
            writer.text(client.clientId().value())
                    .i64(client.generation())
                    .i64(client.upTo())
                    .u16(client.above().size());
            for (SequenceRange range : client.above()) {
                writer.i64(range.first()).u32(range.end() - range.first());
            }
        }
    }

    private static void write(QueueRecipient recipient, BinaryWriter writer) {
        String sharedFilter = recipient.sharedFilter();
        List<Integer> identifiers = recipient.subscriptionIdentifiers();
        writer.text(recipient.clientId().value())
                .i64(recipient.generation())
                .u8(recipient.qos().level()
                        | (recipient.retain() ? RETAIN : 0)
                        | (identifiers.isEmpty() ? 0 : IDENTIFIERS)
                        | (sharedFilter == null ? 0 : SHARED));
        if (!identifiers.isEmpty()) {
            writer.u16(identifiers.size());
            for (int identifier : identifiers) {
                writer.u32(identifier);
            }
        }
        if (sharedFilter != null) {
            writer.text(sharedFilter);
        }
    }

    /** @throws UnreadableRecordException when the record is truncated, of another version or of an unknown kind */
    public static BucketCommand read(RecordReader reader) {
        reader.version(NAME, VERSION);
        int kind = reader.u8();
        if (kind == ENQUEUE) {
            return readEnqueue(reader);
        }
        if (kind == ACKNOWLEDGED) {
            return readAcknowledged(reader);
        }
        if (kind != OUTBOUND_RECEIVED && kind != INBOUND_RECEIVED && kind != INBOUND_RELEASED && kind != CLEARED) {
            throw reader.malformed(NAME + " of kind " + kind + ", which this broker does not know");
        }
        ClientId clientId = clientId(reader);
        long generation = reader.i64();
        BucketCommand command = switch (kind) {
            case OUTBOUND_RECEIVED -> new OutboundReceived(clientId, generation, reader.i64());
            case INBOUND_RECEIVED -> new InboundReceived(clientId, generation, reader.u16(), MessageName.read(reader));
            case CLEARED -> new Cleared(clientId, generation);
            default -> new InboundReleased(clientId, generation, reader.u16());
        };
        reader.finish();
        return command;
    }

    private static Acknowledged readAcknowledged(RecordReader reader) {
        int count = reader.u16();
        if (count == 0 || count > BucketCommand.MAXIMUM_RECIPIENTS) {
            throw reader.malformed(NAME + " with " + count + " clients");
        }
        List<ClientAcknowledgement> clients = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ClientId clientId = clientId(reader);
            long generation = reader.i64();
            long upTo = reader.i64();
            int ranges = reader.u16();
            List<SequenceRange> above = new ArrayList<>(ranges);
            for (int j = 0; j < ranges; j++) {
                long first = reader.i64();
                above.add(new SequenceRange(first, first + reader.u32()));
            }
            clients.add(new ClientAcknowledgement(clientId, generation, upTo, above));
        }
        reader.finish();
        return new Acknowledged(clients);
    }

    private static Enqueue readEnqueue(RecordReader reader) {
        int count = reader.u16();
        if (count == 0 || count > BucketCommand.MAXIMUM_RECIPIENTS) {
            throw reader.malformed(NAME + " with " + count + " recipients");
        }
        List<QueueRecipient> recipients = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            recipients.add(readRecipient(reader));
        }
        return new Enqueue(MessageFormat.read(reader), recipients);
    }

    private static QueueRecipient readRecipient(RecordReader reader) {
        ClientId clientId = clientId(reader);
        long generation = reader.i64();
        int flags = reader.u8();
        List<Integer> identifiers = List.of();
        if ((flags & IDENTIFIERS) != 0) {
            int count = reader.u16();
            identifiers = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                identifiers.add((int) reader.u32());
            }
        }
        return new QueueRecipient(
                clientId,
                generation,
                reader.qos(flags & QOS),
                (flags & RETAIN) != 0,
                identifiers,
                (flags & SHARED) == 0 ? null : reader.text());
    }

    private static ClientId clientId(RecordReader reader) {
        String clientId = reader.text();
        if (clientId.isEmpty()) {
            throw reader.malformed(NAME + " without client id");
        }
        return new ClientId(clientId);
    }
}

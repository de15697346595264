package io.heddle.core.delivery.bucket.remote;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.message.frame.MessageFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The formats of the frames. Each begins with the version, u8. A text is its length in bytes, u16, followed by UTF-8.
 *
 * <pre>
 * kind 0x20, pushes, on the data lane of the bucket: entries to the end
 *   message   u8 1, u16 number of targets; for each: text client, i64 generation, i64 epoch, i64 sequence number,
 *             u8 terms (bits 0-1 QoS, bit 2 RETAIN), u16 number of Subscription Identifiers, u32 each;
 *             u32 length, and the message ({@link MessageFrame})
 *   filled    u8 2, text client, i64 generation, i64 epoch, i64 highest sequence number assigned
 * kind 0x21, sequence numbers are reset, on the data lane of the bucket: u16 bucket, i64 view id, i64 first complete generation
 * kind 0x22, buckets are positioned, on the control lane: u16 number; for each: u16 bucket, i64 view id, u8 whether it is the first time
 * </pre>
 *
 * <p>Kind 0x23 is an {@link AppliedFrame}.
 */
final class PushFrame {
    static final int FIRST_KIND = 0x20;
    static final int LAST_KIND = 0x2f;

    static final int PUSHES = FIRST_KIND;
    static final int RESET = FIRST_KIND + 1;
    static final int POSITIONED = FIRST_KIND + 2;

    private static final int VERSION = 2;
    private static final int MESSAGE = 1;
    private static final int FILLED_UP_TO = 2;
    private static final int QOS = 0b11;
    private static final int RETAIN = 1 << 2;
    /** The smallest target: an empty text, three numbers, terms and no identifiers. */
    private static final int MINIMUM_TARGET_BYTES = 2 + 3 * Long.BYTES + 1 + 2;

    private PushFrame() {}

    /** Takes the pushes of a frame in their order. */
    interface Pushes {
        /** A message was pushed to a connection. */
        void onMessage(long epoch, long sequence, Enqueue command, QueueRecipient recipient);

        /** A queue has assigned sequence numbers up to this one. */
        void onFilledUpTo(ClientId clientId, long generation, long epoch, long sequence);
    }

    /**
     * The position of a bucket's queues is known.
     *
     * @param isFirst whether it is the first one of the holding
     */
    record Positioned(long viewId, boolean isFirst) {}

    /** The queues of a bucket were lost, see {@link io.heddle.core.delivery.bucket.QueueSessions#endFeeds}. */
    record Reset(int bucket, long viewId, long completeFrom) {
        byte[] encode() {
            return frame().u16(bucket).i64(viewId).i64(completeFrom).toBytes();
        }
    }

    static BinaryWriter frame() {
        return new BinaryWriter().u8(VERSION);
    }

    static void writeTarget(RemoteReader reader, long sequence, QueueRecipient recipient, BinaryWriter writer) {
        List<Integer> identifiers = recipient.subscriptionIdentifiers();
        writer.text(reader.clientId().value())
                .i64(reader.generation())
                .i64(reader.epoch())
                .i64(sequence)
                .u8(recipient.qos().level() | (recipient.retain() ? RETAIN : 0))
                .u16(identifiers.size());
        for (int i = 0; i < identifiers.size(); i++) {
            writer.u32(identifiers.get(i));
        }
    }

    static byte[] message(PublishMessage message, long nowMillis) {
        BinaryWriter writer = new BinaryWriter();
        MessageFrame.write(message, nowMillis, writer);
        return writer.toBytes();
    }

    static void writeMessage(int count, byte[] targets, byte[] message, BinaryWriter frame) {
        frame.u8(MESSAGE).u16(count).raw(targets).u32(message.length).raw(message);
    }

    static void writeFilledUpTo(RemoteReader reader, long sequence, BinaryWriter frame) {
        frame.u8(FILLED_UP_TO)
                .text(reader.clientId().value())
                .i64(reader.generation())
                .i64(reader.epoch())
                .i64(sequence);
    }

    static byte[] positioned(Map<Integer, Positioned> buckets) {
        BinaryWriter frame = frame().u16(buckets.size());
        buckets.forEach((bucket, positioned) ->
                frame.u16(bucket).i64(positioned.viewId()).u8(positioned.isFirst() ? 1 : 0));
        return frame.toBytes();
    }

    private static FrameReader open(byte[] bytes) {
        FrameReader reader = new FrameReader("a frame of pushes", bytes);
        reader.version(VERSION);
        return reader;
    }

    /** @throws io.heddle.core.message.frame.MalformedFrameException behind the last push that can be read */
    static void readPushes(byte[] bytes, long nowMillis, Pushes pushes) {
        FrameReader reader = open(bytes);
        while (reader.remaining() > 0) {
            int kind = reader.u8();
            switch (kind) {
                case MESSAGE -> readMessage(reader, nowMillis, pushes);
                case FILLED_UP_TO ->
                    pushes.onFilledUpTo(new ClientId(reader.text()), reader.i64(), reader.i64(), reader.i64());
                default -> throw reader.malformed("there is no push of kind " + kind);
            }
        }
    }

    private static void readMessage(FrameReader reader, long nowMillis, Pushes pushes) {
        int count = reader.u16();
        if (count == 0
                || count > BucketCommand.MAXIMUM_RECIPIENTS
                || count > reader.remaining() / MINIMUM_TARGET_BYTES) {
            throw reader.malformed(count + " targets exceed its size");
        }
        List<QueueRecipient> recipients = new ArrayList<>(count);
        long[] epochs = new long[count];
        long[] sequences = new long[count];
        for (int i = 0; i < count; i++) {
            ClientId clientId = new ClientId(reader.text());
            long generation = reader.i64();
            epochs[i] = reader.i64();
            sequences[i] = reader.i64();
            int terms = reader.u8();
            recipients.add(new QueueRecipient(
                    clientId, generation, reader.qos(terms & QOS), (terms & RETAIN) != 0, identifiers(reader)));
        }
        long length = reader.u32();
        if (length > reader.remaining()) {
            throw reader.malformed("a message of " + length + " bytes exceeds its size");
        }
        PublishMessage message =
                MessageFrame.read(new FrameReader("a pushed message", reader.raw((int) length)), nowMillis);
        Enqueue command = new Enqueue(message, recipients);
        for (int i = 0; i < count; i++) {
            pushes.onMessage(epochs[i], sequences[i], command, recipients.get(i));
        }
    }

    private static List<Integer> identifiers(FrameReader reader) {
        int count = reader.u16();
        if (count == 0) {
            return List.of();
        }
        if (count > reader.remaining() / Integer.BYTES) {
            throw reader.malformed(count + " Subscription Identifiers exceed its size");
        }
        List<Integer> identifiers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            identifiers.add((int) reader.u32());
        }
        return identifiers;
    }

    static Reset readReset(byte[] bytes) {
        FrameReader reader = open(bytes);
        Reset reset = new Reset(reader.u16(), reader.i64(), reader.i64());
        reader.finish();
        return reset;
    }

    static Map<Integer, Positioned> readPositioned(byte[] bytes) {
        FrameReader reader = open(bytes);
        int count = reader.u16();
        Map<Integer, Positioned> buckets = new HashMap<>();
        for (int i = 0; i < count; i++) {
            buckets.put(reader.u16(), new Positioned(reader.i64(), reader.u8() != 0));
        }
        reader.finish();
        return buckets;
    }
}

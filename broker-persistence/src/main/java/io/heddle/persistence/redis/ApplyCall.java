package io.heddle.persistence.redis;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand.Acknowledged;
import io.heddle.core.delivery.log.BucketCommand.Cleared;
import io.heddle.core.delivery.log.BucketCommand.ClientAcknowledgement;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.delivery.log.BucketCommand.InboundReleased;
import io.heddle.core.delivery.log.BucketCommand.OutboundReceived;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.persistence.record.MessageFormat;
import io.heddle.persistence.record.QueueEntryFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The encoded commands of one call of apply.lua. A batch is split into calls of limited size. Each call names the offset that must precede
 * it, so that no call is applied after one that failed or found a gap. Confined to one thread.
 *
 * <pre>
 * i64 preceding offset   i64 last offset   i64 first generation with a complete log   u32 maximum messages   i64 maximum bytes   u8 drop oldest
 * u32 maximum in flight
 * u16 number of clients   u16 number of commands   for each client i64 pushed up to   then each command:
 * u8 kind   i64 offset
 *   a message    u16 index of the message, 0 when expired or rejected before   u16 recipients, each: u16 client   i64 generation
 *                u16 length and delivery (see QueueEntryFormat)
 *   acknowledged u16 clients, each: u16 client   i64 generation   i64 acknowledged up to   u16 ranges above it, each: i64 first sequence
 *                i64 one above its last
 *   else         u16 client   i64 generation   i64 sequence or Packet Identifier, 0 when a queue is cleared
 *                then for a received Packet Identifier the {@link io.heddle.core.cluster.MessageName}
 * </pre>
 */
final class ApplyCall {
    static final int MAXIMUM_RECIPIENTS = 1_000;
    static final int MAXIMUM_BYTES = 512 * 1_024;
    /** The growth of the queues in one call, unless a single command exceeds it: Redis serves no other call meanwhile. */
    static final long MAXIMUM_COPIED_BYTES = 8L << 20;

    private static final int ENQUEUE = 1;
    private static final int OUTBOUND_RECEIVED = 2;
    private static final int INBOUND_RECEIVED = 3;
    private static final int INBOUND_RELEASED = 4;
    private static final int ACKNOWLEDGED = 6;
    private static final int CLEARED = 7;

    private final BinaryWriter commands = new BinaryWriter();
    private final BinaryWriter delivery = new BinaryWriter();
    private final Map<ClientId, Integer> clients = new HashMap<>();
    private final List<byte[]> clientIds = new ArrayList<>();
    private final BinaryWriter pushedUpTo = new BinaryWriter();
    private final List<byte[]> messages = new ArrayList<>();
    private final PushedUpTo pushed;
    private final long precedingOffset;
    private final long completeFrom;
    private long lastOffset;
    private int count;
    private int recipients;
    private long bytes;
    private long copiedBytes;

    private ApplyCall(PushedUpTo pushed, long precedingOffset, long completeFrom) {
        this.pushed = pushed;
        this.precedingOffset = precedingOffset;
        this.completeFrom = completeFrom;
    }

    /**
     * Splits a batch into calls of limited size, in order.
     *
     * @throws StoreRejectedException when the format of a call cannot hold a command
     */
    static List<ApplyCall> split(BucketBatch batch, PushedUpTo pushed, long nowMillis) {
        List<ApplyCall> calls = new ArrayList<>();
        ApplyCall call = new ApplyCall(pushed, batch.precedingOffset(), batch.completeFrom());
        calls.add(call);
        for (BucketBatch.Logged logged : batch.commands()) {
            int weight = 1;
            long copied = 0;
            if (logged.command() instanceof Enqueue enqueue) {
                weight = enqueue.recipients().size();
                copied = (long) weight * enqueue.message().heldBytes();
            } else if (logged.command() instanceof Acknowledged acknowledged) {
                weight = acknowledged.clients().size();
            }
            if (call.recipients > 0 && call.isFullWith(weight, copied)) {
                call = new ApplyCall(pushed, call.lastOffset, batch.completeFrom());
                calls.add(call);
            }
            call.recipients += weight;
            call.copiedBytes += copied;
            try {
                call.add(logged, nowMillis);
            } catch (IllegalArgumentException e) {
                throw new StoreRejectedException("command at offset " + logged.offset() + ": " + e.getMessage(), e);
            }
        }
        return calls;
    }

    private boolean isFullWith(int weight, long copied) {
        return recipients + weight > MAXIMUM_RECIPIENTS
                || copiedBytes + copied > MAXIMUM_COPIED_BYTES
                || bytes >= MAXIMUM_BYTES;
    }

    private void add(BucketBatch.Logged logged, long nowMillis) {
        long offset = logged.offset();
        lastOffset = offset;
        if (logged.rejected() && !(logged.command() instanceof Enqueue)) {
            // A marker takes no sequence number.
            return;
        }
        count++;
        switch (logged.command()) {
            case Enqueue enqueue -> {
                commands.u8(ENQUEUE).i64(offset);
                enqueue(enqueue, logged.rejected() || enqueue.message().isExpiredAt(nowMillis));
            }
            case Acknowledged acknowledged -> {
                commands.u8(ACKNOWLEDGED).i64(offset);
                acknowledged(acknowledged);
            }
            case OutboundReceived marker ->
                marker(OUTBOUND_RECEIVED, offset, marker.clientId(), marker.generation(), marker.sequence());
            case InboundReceived marker -> {
                marker(INBOUND_RECEIVED, offset, marker.clientId(), marker.generation(), marker.packetId());
                marker.name().write(commands);
            }
            case InboundReleased release ->
                marker(INBOUND_RELEASED, offset, release.clientId(), release.generation(), release.packetId());
            case Cleared cleared -> marker(CLEARED, offset, cleared.clientId(), cleared.generation(), 0);
        }
    }

    /** @param sequencesOnly true for a message that is not queued and only takes its sequences */
    private void enqueue(Enqueue enqueue, boolean sequencesOnly) {
        PublishMessage message = enqueue.message();
        if (sequencesOnly) {
            commands.u16(0);
        } else {
            byte[] encoded = MessageFormat.encode(message);
            messages.add(encoded);
            bytes += encoded.length;
            commands.u16(messages.size());
        }
        List<QueueRecipient> all = enqueue.recipients();
        commands.u16(all.size());
        for (int i = 0; i < all.size(); i++) {
            QueueRecipient recipient = all.get(i);
            delivery.clear();
            if (!sequencesOnly) {
                QueueEntryFormat.writeDelivery(recipient, delivery);
            }
            commands.u16(client(recipient.clientId(), recipient.generation()))
                    .i64(recipient.generation())
                    .bytes16(delivery.toBytes());
        }
    }

    private void acknowledged(Acknowledged acknowledged) {
        commands.u16(acknowledged.clients().size());
        for (ClientAcknowledgement each : acknowledged.clients()) {
            commands.u16(client(each.clientId(), each.generation()))
                    .i64(each.generation())
                    .i64(each.upTo())
                    .u16(each.above().size());
            for (SequenceRange range : each.above()) {
                commands.i64(range.first()).i64(range.end());
            }
        }
    }

    private void marker(int kind, long offset, ClientId clientId, long generation, long number) {
        commands.u8(kind)
                .i64(offset)
                .u16(client(clientId, generation))
                .i64(generation)
                .i64(number);
    }

    /** Returns the index of a client in this call, from 1. */
    private int client(ClientId clientId, long generation) {
        Integer known = clients.putIfAbsent(clientId, clientIds.size() + 1);
        if (known != null) {
            return known;
        }
        pushedUpTo.i64(pushed.upTo(clientId, generation));
        clientIds.add(clientId.value().getBytes(StandardCharsets.UTF_8));
        return clientIds.size();
    }

    /**
     * @param log the log's id
     * @param viewId the view id of the bucket if the script creates it
     */
    List<byte[]> arguments(byte[] log, byte[] viewId, QueueBounds bounds) {
        byte[] program = new BinaryWriter()
                .i64(precedingOffset)
                .i64(lastOffset)
                .i64(completeFrom)
                .u32(bounds.maximumMessages())
                .i64(bounds.maximumBytes())
                .u8(bounds.dropOldest() ? 1 : 0)
                .u32(bounds.maximumInFlight())
                .u16(clientIds.size())
                .u16(count)
                .raw(pushedUpTo.toBytes())
                .raw(commands.toBytes())
                .toBytes();
        List<byte[]> arguments = new ArrayList<>(3 + clientIds.size() + messages.size());
        arguments.add(log);
        arguments.add(viewId);
        arguments.add(program);
        arguments.addAll(clientIds);
        arguments.addAll(messages);
        return arguments;
    }
}

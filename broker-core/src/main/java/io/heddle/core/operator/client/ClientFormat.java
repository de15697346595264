package io.heddle.core.operator.client;

import io.heddle.core.client.AddressRange;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.operator.client.ClientEntry.ClientLink;
import io.heddle.core.session.ConnectedClient;
import io.heddle.core.session.Disconnection;
import io.heddle.core.session.SessionDetails;
import io.heddle.core.subscription.DeliveryCapacity;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of questions about clients and of their answers. Each begins with a version byte, which is {@value #VERSION}. Stateless.
 *
 * <p>A text is its length in bytes, u16, followed by UTF-8. A text that may be null is preceded by a byte, 1 if it is present. A client type
 * is 0 (DEVICE) or 1 (APPLICATION).
 *
 * <pre>
 * query    after, text or null; u8 descending; u16 limit; prefix, glob, user name, address, each text or null;
 *          u8 type plus 1, or 0; i64 connected after, i64 connected before, or {@link Long#MIN_VALUE}
 * page     next, text or null; entries, to the end
 * entry    text client id; u8 type; user name, text or null; text address; text listener; u8 level of the protocol; u32 Keep Alive;
 *          u32 Session Expiry Interval; u8 Clean Start; i64 connected at, milliseconds since 1970
 * details  u32 subscriptions; u32 in flight; i64 waiting messages; i64 waiting bytes; i64 drops; reason, text or null; i64 time;
 *          u32 maximum in flight; u8 capacity: 0 ready, 1 queueable, 2 full
 * drop     u8 0 none, 1 queue full, 2 expired; i64 time
 * disconnection  u8 0 none, 1 with: entry; text reason; text detail; i64 time
 * </pre>
 */
final class ClientFormat {
    static final int VERSION = 2;

    private static final long NO_TIME = Long.MIN_VALUE;
    private static final int DEVICE = 0;
    private static final int APPLICATION = 1;
    private static final int QUEUE_FULL = 1;
    private static final int EXPIRED = 2;
    private static final int FOUND_HEADER_BYTES = 3;

    private ClientFormat() {}

    static FrameReader read(String name, byte[] bytes) {
        FrameReader in = new FrameReader(name, bytes);
        in.version(VERSION);
        return in;
    }

    static BinaryWriter write() {
        return new BinaryWriter().u8(VERSION);
    }

    static BinaryWriter textOrNull(@Nullable String text, BinaryWriter out) {
        return text == null ? out.u8(0) : out.u8(1).text(text);
    }

    static @Nullable String textOrNull(FrameReader in) {
        return in.u8() == 0 ? null : in.text();
    }

    static ClientId clientId(FrameReader in) {
        String text = in.text();
        if (text.isEmpty()) {
            throw in.malformed("it has no client id");
        }
        return new ClientId(text);
    }

    /** Writes a query without the conditions that a node need not know: the state and the node. */
    static byte[] query(ClientQuery query) {
        ClientFilter filter = query.filter();
        AddressRange address = filter.address();
        ClientType type = filter.type();
        BinaryWriter out = write();
        textOrNull(query.after(), out).u8(query.descending() ? 1 : 0).u16(query.limit());
        textOrNull(filter.prefix(), out);
        textOrNull(filter.glob(), out);
        textOrNull(filter.userName(), out);
        textOrNull(address == null ? null : address.toString(), out);
        return out.u8(type == null ? 0 : 1 + code(type))
                .i64(time(filter.connectedAfterMillis()))
                .i64(time(filter.connectedBeforeMillis()))
                .toBytes();
    }

    private static long time(@Nullable Long millis) {
        return millis == null ? NO_TIME : millis;
    }

    static ClientQuery query(byte[] bytes) {
        FrameReader in = read("a query of clients", bytes);
        String after = textOrNull(in);
        boolean descending = in.u8() != 0;
        int limit = in.u16();
        String prefix = textOrNull(in);
        String glob = textOrNull(in);
        String userName = textOrNull(in);
        String address = textOrNull(in);
        int type = in.u8();
        Long connectedAfter = time(in);
        Long connectedBefore = time(in);
        in.finish();
        try {
            return new ClientQuery(
                    new ClientFilter(
                            prefix,
                            glob,
                            userName,
                            address == null ? null : AddressRange.parse(address),
                            null,
                            ClientState.CONNECTED,
                            type == 0 ? null : type(in, type - 1),
                            connectedAfter,
                            connectedBefore,
                            null),
                    after,
                    descending,
                    limit);
        } catch (IllegalArgumentException invalid) {
            throw in.malformed(String.valueOf(invalid.getMessage()));
        }
    }

    private static @Nullable Long time(FrameReader in) {
        long millis = in.i64();
        return millis == NO_TIME ? null : Long.valueOf(millis);
    }

    private static int code(ClientType type) {
        return switch (type) {
            case DEVICE -> DEVICE;
            case APPLICATION -> APPLICATION;
        };
    }

    private static ClientType type(FrameReader in, int code) {
        return switch (code) {
            case DEVICE -> ClientType.DEVICE;
            case APPLICATION -> ClientType.APPLICATION;
            default -> throw in.malformed("there is no client type " + code);
        };
    }

    static void entry(ConnectedClient client, BinaryWriter out) {
        out.text(client.identity().clientId().value()).u8(code(client.identity().type()));
        textOrNull(client.identity().userName(), out)
                .text(text(client.address()))
                .text(client.listener())
                .u8(client.version().protocolLevel())
                .u32(client.keepAliveSeconds())
                .u32(client.expirySeconds())
                .u8(client.cleanStart() ? 1 : 0)
                .i64(client.connectedAtMillis());
    }

    /** @param nodeId of the node that has answered */
    static ClientEntry entry(FrameReader in, String nodeId) {
        String clientId = in.text();
        ClientType type = type(in, in.u8());
        String userName = textOrNull(in);
        String address = in.text();
        String listener = in.text();
        MqttVersion version = version(in);
        int keepAliveSeconds = (int) in.u32();
        long expirySeconds = in.u32();
        boolean cleanStart = in.u8() != 0;
        return new ClientEntry(
                clientId,
                type,
                userName,
                expirySeconds,
                in.i64(),
                new ClientLink(nodeId, address, listener, version, keepAliveSeconds, cleanStart));
    }

    private static MqttVersion version(FrameReader in) {
        int level = in.u8();
        for (MqttVersion each : MqttVersion.values()) {
            if (each.protocolLevel() == level) {
                return each;
            }
        }
        throw in.malformed("there is no protocol level " + level);
    }

    private static String text(SocketAddress address) {
        if (!(address instanceof InetSocketAddress internet) || internet.isUnresolved()) {
            return address.toString();
        }
        String host = internet.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + internet.getPort();
    }

    static void drop(@Nullable QueueDrop drop, BinaryWriter out) {
        out.u8(drop == null ? 0 : code(drop.reason())).i64(drop == null ? 0 : drop.millis());
    }

    private static int code(QueueDrop.Reason reason) {
        return switch (reason) {
            case QUEUE_FULL -> QUEUE_FULL;
            case EXPIRED -> EXPIRED;
        };
    }

    static @Nullable QueueDrop drop(FrameReader in) {
        int reason = in.u8();
        long millis = in.i64();
        return switch (reason) {
            case QUEUE_FULL -> new QueueDrop(QueueDrop.Reason.QUEUE_FULL, millis);
            case EXPIRED -> new QueueDrop(QueueDrop.Reason.EXPIRED, millis);
            default -> null;
        };
    }

    static void disconnection(@Nullable Disconnection last, BinaryWriter out) {
        if (last == null) {
            out.u8(0);
            return;
        }
        entry(last.client(), out.u8(1));
        out.text(last.cause().reason()).text(last.cause().detail()).i64(last.millis());
    }

    /** @param nodeId of the node that has answered */
    static @Nullable LastDisconnection disconnection(FrameReader in, String nodeId) {
        return in.u8() == 0 ? null : new LastDisconnection(entry(in, nodeId), in.text(), in.text(), in.i64());
    }

    static void details(SessionDetails details, BinaryWriter out) {
        out.u32(details.subscriptions())
                .u32(details.inFlight())
                .i64(details.waitingMessages())
                .i64(details.waitingBytes())
                .i64(details.drops());
        textOrNull(details.dropReason(), out)
                .i64(details.dropMillis())
                .u32(details.maximumInFlight())
                .u8(
                        switch (details.capacity()) {
                            case READY -> 0;
                            case QUEUEABLE -> 1;
                            case FULL -> 2;
                        });
    }

    static SessionDetails details(FrameReader in) {
        return new SessionDetails(
                (int) in.u32(),
                (int) in.u32(),
                in.i64(),
                in.i64(),
                in.i64(),
                textOrNull(in),
                in.i64(),
                (int) in.u32(),
                capacity(in));
    }

    private static DeliveryCapacity capacity(FrameReader in) {
        int code = in.u8();
        return switch (code) {
            case 0 -> DeliveryCapacity.READY;
            case 1 -> DeliveryCapacity.QUEUEABLE;
            case 2 -> DeliveryCapacity.FULL;
            default -> throw in.malformed("its capacity is " + code);
        };
    }

    /** Returns what a node has found, as far as there is room: u8 has more; u8 is complete; entries, to the end. */
    static <E> byte[] found(
            List<E> entries,
            boolean hasMore,
            boolean isComplete,
            int maximumBytes,
            BiConsumer<E, BinaryWriter> entryFormat) {
        BinaryWriter body = new BinaryWriter();
        BinaryWriter entry = new BinaryWriter();
        boolean isCut = false;
        for (E each : entries) {
            entry.clear();
            entryFormat.accept(each, entry);
            isCut = body.length() + entry.length() + FOUND_HEADER_BYTES > maximumBytes;
            if (isCut) {
                break;
            }
            body.raw(entry.toBytes());
        }
        return write().u8(hasMore || isCut ? 1 : 0)
                .u8(isComplete ? 1 : 0)
                .raw(body.toBytes())
                .toBytes();
    }
}

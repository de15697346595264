package io.heddle.core.session.registrar.remote;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.persistent.SessionOwner;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.FilterRequest;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.SubscriptionChange.Subscribe;
import io.heddle.core.session.registrar.SubscriptionChange.Unsubscribe;
import io.heddle.core.session.registrar.TransientClient;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of requests to the registrar; its parts are in {@link RecordParts}. Stateless, any thread.
 *
 * <pre>
 * open:
 *   text client id
 *   u8   1 for APPLICATION, 0 for DEVICE
 *   optional text user name
 *   u8   bit 0 owns the client id, bit 1 Clean Start, bit 2 counts against a quota, bit 3 the quota is that of an address
 *   text user or address of the quota                (bit 2)
 *   u32  Session Expiry Interval, seconds
 *   text incarnation of the node with the connection
 *   i64  epoch of the last connection of a client that must be away, or 0
 *   will
 *
 * departure:
 *   text client id
 *   i64  generation
 *   i64  epoch
 *   i64  highest sequence number that was sent
 *   i64  highest offset that the node has appended to the log of the bucket, or -1
 *   u32  Session Expiry Interval, seconds
 *   will
 *   optional record to be restored
 *
 * change of subscriptions:
 *   text client id
 *   i64  generation
 *   i64  epoch
 *   u8   1 for SUBSCRIBE, 0 for UNSUBSCRIBE
 *   u32  Subscription Identifier                     (SUBSCRIBE)
 *   u32  count, and for each filter
 *     text filter
 *     u8   bits 0-1 QoS, bit 2 No Local, bit 3 Retain As Published, bits 4-5 Retain Handling, as in MQTT 5.0 (SUBSCRIBE)
 *
 * absent connections:
 *   text client id
 *   i64  epoch of the only connection, or 0
 *
 * announcement:
 *   u32  bucket
 *   u32  count, and for each client
 *     text client id
 *     i64  number of the connection
 *     optional text user name
 * </pre>
 */
final class RequestFormat {
    private static final int OWNS_CLIENT_ID = 1;
    private static final int CLEAN_START = 1 << 1;
    private static final int HAS_QUOTA = 1 << 2;
    private static final int QUOTA_OF_ADDRESS = 1 << 3;

    private static final int QOS = 0b11;
    private static final int NO_LOCAL = 1 << 2;
    private static final int RETAIN_AS_PUBLISHED = 1 << 3;
    private static final int RETAIN_HANDLING_SHIFT = 4;
    private static final int RETAIN_HANDLING = 0b11;

    /** The size of an empty text. */
    private static final int MINIMUM_ENTRY_BYTES = Short.BYTES;

    private RequestFormat() {}

    static void write(OpenRequest request, BinaryWriter out) {
        ClientIdentity identity = request.identity();
        SessionOwner quota = request.owner();
        out.text(identity.clientId().value());
        RecordParts.write(identity.type(), out);
        RecordParts.write(identity.userName(), out);
        out.u8((identity.ownsClientId() ? OWNS_CLIENT_ID : 0)
                | (request.cleanStart() ? CLEAN_START : 0)
                | (quota == null ? 0 : HAS_QUOTA)
                | (quota != null && quota.isAddress() ? QUOTA_OF_ADDRESS : 0));
        if (quota != null) {
            out.text(quota.name());
        }
        out.u32(request.expirySeconds()).text(request.node()).i64(request.awayEpoch());
        RecordParts.write(request.will(), out);
    }

    static OpenRequest readOpenRequest(FrameReader in) {
        ClientId clientId = new ClientId(in.text());
        ClientType type = RecordParts.readType(in);
        String userName = RecordParts.readText(in);
        int flags = in.u8();
        SessionOwner quota =
                (flags & HAS_QUOTA) == 0 ? null : new SessionOwner((flags & QUOTA_OF_ADDRESS) != 0, in.text());
        long expirySeconds = in.u32();
        String node = in.text();
        long awayEpoch = in.i64();
        WillMessage will = RecordParts.readWill(in);
        return new OpenRequest(
                new ClientIdentity(clientId, type, userName, (flags & OWNS_CLIENT_ID) != 0),
                quota,
                (flags & CLEAN_START) != 0,
                expirySeconds,
                will,
                node,
                awayEpoch);
    }

    static void write(Departure departure, BinaryWriter out) {
        out.text(departure.clientId().value())
                .i64(departure.generation())
                .i64(departure.epoch())
                .i64(departure.sentUpTo())
                .i64(departure.appendedUpTo())
                .u32(departure.expirySeconds());
        RecordParts.write(departure.will(), out);
        RecordParts.write(departure.before(), out);
    }

    static Departure readDeparture(FrameReader in) {
        ClientId clientId = new ClientId(in.text());
        long generation = in.i64();
        long epoch = in.i64();
        long sentUpTo = in.i64();
        long appendedUpTo = in.i64();
        long expirySeconds = in.u32();
        WillMessage will = RecordParts.readWill(in);
        return new Departure(
                clientId, generation, epoch, sentUpTo, appendedUpTo, expirySeconds, will, RecordParts.readRecord(in));
    }

    static void write(SubscriptionChange change, BinaryWriter out) {
        out.text(change.clientId().value()).i64(change.generation()).i64(change.epoch());
        switch (change) {
            case Subscribe subscribe -> {
                out.u8(1).u32(subscribe.identifier()).u32(subscribe.count());
                for (FilterRequest request : subscribe.requests()) {
                    out.text(request.filter().value()).u8(options(request));
                }
            }
            case Unsubscribe unsubscribe -> {
                out.u8(0).u32(unsubscribe.count());
                for (String topicFilter : unsubscribe.topicFilters()) {
                    out.text(topicFilter);
                }
            }
        }
    }

    private static int options(FilterRequest request) {
        return request.maximumQos().level()
                | (request.noLocal() ? NO_LOCAL : 0)
                | (request.retainAsPublished() ? RETAIN_AS_PUBLISHED : 0)
                | request.retainHandling().number() << RETAIN_HANDLING_SHIFT;
    }

    static SubscriptionChange readChange(FrameReader in) {
        ClientId clientId = new ClientId(in.text());
        long generation = in.i64();
        long epoch = in.i64();
        return in.u8() == 0
                ? new Unsubscribe(clientId, generation, epoch, readFilters(in))
                : new Subscribe(clientId, generation, epoch, (int) in.u32(), readRequests(in));
    }

    private static List<String> readFilters(FrameReader in) {
        int count = count(in);
        List<String> filters = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            filters.add(in.text());
        }
        return filters;
    }

    private static List<FilterRequest> readRequests(FrameReader in) {
        int count = count(in);
        List<FilterRequest> requests = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            TopicFilter filter = in.filter();
            int options = in.u8();
            QoS qos = in.qos(options & QOS);
            int handling = options >> RETAIN_HANDLING_SHIFT & RETAIN_HANDLING;
            if (handling >= RetainHandling.values().length) {
                throw in.malformed("Retain Handling " + handling + " does not exist");
            }
            requests.add(new FilterRequest(
                    filter,
                    qos,
                    (options & NO_LOCAL) != 0,
                    (options & RETAIN_AS_PUBLISHED) != 0,
                    RetainHandling.ofNumber(handling)));
        }
        return requests;
    }

    static void write(List<TransientClient> clients, BinaryWriter out) {
        out.u32(clients.size());
        for (TransientClient client : clients) {
            out.text(client.clientId().value()).i64(client.number());
            RecordParts.write(client.userName(), out);
        }
    }

    static List<TransientClient> readClients(FrameReader in) {
        int count = count(in);
        List<TransientClient> clients = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            clients.add(new TransientClient(new ClientId(in.text()), in.i64(), RecordParts.readText(in)));
        }
        return clients;
    }

    private static int count(FrameReader in) {
        long count = in.u32();
        if (count > in.remaining() / MINIMUM_ENTRY_BYTES) {
            throw in.malformed(count + " entries exceed its size");
        }
        return (int) count;
    }
}

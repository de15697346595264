package io.heddle.persistence.record;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.subscription.RouteKey;
import org.jspecify.annotations.Nullable;

/**
 * The format of a change of a client's session or subscription, or of the epoch of a bucket. Stateless, any thread. A record without value
 * removes its key, which an epoch's never is.
 *
 * <pre>
 * key:   u8   version, 1
 *        u8   kind: 1 a subscription, 2 a session, 3 an epoch
 *        text client id                             (kinds 1 and 2)
 *        text topic filter                          (kind 1)
 * value: see {@link RouteFormat} and {@link SessionFormat}; kind 3:
 *        u8   version, 1
 *        i64  epoch
 * </pre>
 */
public final class ClientFormat {
    private static final String NAME = "a client's record";
    private static final int VERSION = 1;
    private static final int ROUTE = 1;
    private static final int SESSION = 2;
    private static final int EPOCH = 3;
    private static final String EPOCH_NAME = "an epoch";
    private static final int EPOCH_VERSION = 1;

    private ClientFormat() {}

    public static byte[] key(ClientChange change) {
        BinaryWriter writer = new BinaryWriter().u8(VERSION);
        return switch (change) {
            case ClientChange.OfSession session ->
                writer.u8(SESSION).text(session.clientId().value()).toBytes();
            case ClientChange.OfRoute route ->
                writer.u8(ROUTE)
                        .text(route.key().clientId().value())
                        .text(route.key().topicFilter())
                        .toBytes();
            case ClientChange.OfEpoch _ -> writer.u8(EPOCH).toBytes();
        };
    }

    /** Encodes the value; null when the change removes its key. */
    public static byte @Nullable [] value(ClientChange change) {
        return switch (change) {
            case ClientChange.OfSession(ClientId _, var session) ->
                session == null ? null : SessionFormat.value(session);
            case ClientChange.OfRoute(RouteKey _, var route) -> route == null ? null : RouteFormat.value(route);
            case ClientChange.OfEpoch(long highest) ->
                new BinaryWriter().u8(EPOCH_VERSION).i64(highest).toBytes();
        };
    }

    /**
     * @param value null when the record has no value
     * @throws UnreadableRecordException when the record is truncated or of another version
     */
    public static ClientChange read(RecordReader key, @Nullable RecordReader value) {
        key.version(NAME, VERSION);
        int kind = key.u8();
        if (kind == EPOCH) {
            key.finish();
            return readEpoch(key, value);
        }
        if (kind != ROUTE && kind != SESSION) {
            throw key.malformed(NAME + " of kind " + kind + ", which this broker does not know");
        }
        String id = key.text();
        if (id.isEmpty()) {
            throw key.malformed(NAME + " without client id");
        }
        ClientId clientId = new ClientId(id);
        if (kind == SESSION) {
            key.finish();
            return new ClientChange.OfSession(clientId, value == null ? null : SessionFormat.read(value));
        }
        RouteKey route = new RouteKey(clientId, key.text());
        key.finish();
        if (route.topicFilter().isEmpty()) {
            throw key.malformed(NAME + " without topic filter");
        }
        return new ClientChange.OfRoute(route, value == null ? null : RouteFormat.read(route, value));
    }

    /**
     * Returns a value of a backup, which an earlier build may have written, in the format of this build. Nodes have no other one.
     *
     * @throws UnreadableRecordException when the key is truncated or of another version
     */
    public static byte[] ofBackup(RecordReader key, byte[] value) {
        key.version(NAME, VERSION);
        return key.u8() == SESSION ? SessionFormat.ofBackup(value) : value;
    }

    private static ClientChange readEpoch(RecordReader key, @Nullable RecordReader value) {
        if (value == null) {
            throw key.malformed(EPOCH_NAME + " without value");
        }
        value.version(EPOCH_NAME, EPOCH_VERSION);
        long highest = value.i64();
        value.finish();
        return new ClientChange.OfEpoch(highest);
    }
}

package io.heddle.persistence.record;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.session.SessionRecord;

/**
 * A persistent session as it is stored.
 *
 * <pre>
 * key:   u8   version, 1
 *        text client id
 * value: u8   version, 1
 *        u8   bit 0 APPLICATION (else DEVICE), bit 1 it has a user name
 *        i64  generation
 *        i64  epoch
 *        u32  Session Expiry Interval, seconds
 *        i64  when the client went, milliseconds since 1970, or 0
 *        text incarnation of the node that has the client, or empty
 *        text user name                                    (bit 1)
 * </pre>
 */
public final class SessionFormat implements ChangeFormat<ClientId, SessionRecord> {
    private static final String NAME = "a session";
    private static final int VERSION = 1;
    private static final int APPLICATION = 1;
    private static final int HAS_USER_NAME = 1 << 1;

    @Override
    public byte[] key(ClientId clientId) {
        return new RecordWriter().u8(VERSION).text(clientId.value()).toBytes();
    }

    @Override
    public byte[] value(SessionRecord session) {
        String userName = session.userName();
        RecordWriter writer = new RecordWriter()
                .u8(VERSION)
                .u8((session.type() == ClientType.APPLICATION ? APPLICATION : 0)
                        | (userName == null ? 0 : HAS_USER_NAME))
                .i64(session.generation())
                .i64(session.epoch())
                .u32(session.expirySeconds())
                .i64(session.awaySinceMillis())
                .text(session.owner());
        if (userName != null) {
            writer.text(userName);
        }
        return writer.toBytes();
    }

    @Override
    public ClientId readKey(RecordReader key) {
        key.version(NAME, VERSION);
        String clientId = key.text();
        key.finish();
        if (clientId.isEmpty()) {
            throw key.broken(NAME + " without client id");
        }
        return new ClientId(clientId);
    }

    @Override
    public SessionRecord readValue(ClientId clientId, RecordReader value) {
        value.version(NAME, VERSION);
        int flags = value.u8();
        long generation = value.i64();
        long epoch = value.i64();
        long expirySeconds = value.u32();
        long awaySinceMillis = value.i64();
        String owner = value.text();
        String userName = (flags & HAS_USER_NAME) == 0 ? null : value.text();
        value.finish();
        return new SessionRecord(
                generation,
                (flags & APPLICATION) == 0 ? ClientType.DEVICE : ClientType.APPLICATION,
                userName,
                expirySeconds,
                owner,
                epoch,
                awaySinceMillis);
    }
}

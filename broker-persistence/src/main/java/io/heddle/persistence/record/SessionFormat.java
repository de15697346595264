package io.heddle.persistence.record;

import io.heddle.core.client.ClientType;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.binary.PropertiesFormat;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.persistent.SessionRecord;

/**
 * The format of a persistent session, whose key is in {@link ClientFormat}. Stateless, any thread.
 *
 * <pre>
 * u8   version, 2
 * u8   bit 0 APPLICATION (else DEVICE), bit 1 has a user name, bit 2 has a will
 * i64  generation
 * i64  epoch
 * u32  Session Expiry Interval, seconds
 * i64  time of disconnection, milliseconds since 1970, or 0
 * text incarnation of the node that the client is connected to, or empty
 * text user name                                    (bit 1)
 * the will                                          (bit 2)
 *   u8   bits 0-1 QoS, bit 2 RETAIN, bit 3 has properties
 *   u32  Will Delay Interval, seconds
 *   text topic
 *        properties, see {@link PropertiesFormat}   (bit 3)
 *        payload, to the end
 * </pre>
 */
final class SessionFormat {
    private static final String NAME = "a session";
    private static final int VERSION = 2;
    private static final int VERSION_WITHOUT_WILL = 1;
    private static final int APPLICATION = 1;
    private static final int HAS_USER_NAME = 1 << 1;
    private static final int HAS_WILL = 1 << 2;

    private static final int WILL_QOS = 0b11;
    private static final int WILL_RETAIN = 1 << 2;
    private static final int WILL_PROPERTIES = 1 << 3;

    private SessionFormat() {}

    static byte[] value(SessionRecord session) {
        String userName = session.userName();
        WillMessage will = session.will();
        BinaryWriter writer = new BinaryWriter()
                .u8(VERSION)
                .u8((session.type() == ClientType.APPLICATION ? APPLICATION : 0)
                        | (userName == null ? 0 : HAS_USER_NAME)
                        | (will == null ? 0 : HAS_WILL))
                .i64(session.generation())
                .i64(session.epoch())
                .u32(session.expirySeconds())
                .i64(session.awaySinceMillis())
                .text(session.owner());
        if (userName != null) {
            writer.text(userName);
        }
        if (will != null) {
            write(will, writer);
        }
        return writer.toBytes();
    }

    private static void write(WillMessage will, BinaryWriter writer) {
        boolean plain = will.properties().equals(PublishProperties.NONE);
        writer.u8(will.qos().level() | (will.retain() ? WILL_RETAIN : 0) | (plain ? 0 : WILL_PROPERTIES))
                .u32(will.delaySeconds())
                .text(will.topic().value());
        if (!plain) {
            PropertiesFormat.write(will.properties(), writer);
        }
        writer.raw(will.payload().array());
    }

    static SessionRecord read(RecordReader value) {
        value.version(NAME, VERSION);
        int flags = value.u8();
        long generation = value.i64();
        long epoch = value.i64();
        long expirySeconds = value.u32();
        long awaySinceMillis = value.i64();
        // One object for all sessions of a node, of which there may be a million.
        String owner = value.text().intern();
        String userName = (flags & HAS_USER_NAME) == 0 ? null : value.text();
        WillMessage will = (flags & HAS_WILL) == 0 ? null : readWill(value);
        value.finish();
        return new SessionRecord(
                generation,
                (flags & APPLICATION) == 0 ? ClientType.DEVICE : ClientType.APPLICATION,
                userName,
                expirySeconds,
                owner,
                epoch,
                awaySinceMillis,
                will);
    }

    /** Returns a value of a backup in this version. Version 1 had no will, and was otherwise the same. */
    static byte[] ofBackup(byte[] value) {
        if (value.length == 0 || value[0] != VERSION_WITHOUT_WILL) {
            return value;
        }
        byte[] current = value.clone();
        current[0] = VERSION;
        return current;
    }

    private static WillMessage readWill(RecordReader value) {
        int flags = value.u8();
        QoS qos = value.qos(flags & WILL_QOS);
        long delaySeconds = value.u32();
        TopicName topic = value.topic();
        PublishProperties properties =
                (flags & WILL_PROPERTIES) == 0 ? PublishProperties.NONE : PropertiesFormat.read(value);
        return new WillMessage(
                topic, BinaryData.wrap(value.rest()), qos, (flags & WILL_RETAIN) != 0, delaySeconds, properties);
    }
}

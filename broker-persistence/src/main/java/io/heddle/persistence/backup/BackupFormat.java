package io.heddle.persistence.backup;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.backup.BackupEntry.ApplicationTopic;
import io.heddle.persistence.backup.BackupEntry.Change;
import io.heddle.persistence.backup.BackupEntry.Origin;
import io.heddle.persistence.backup.BackupEntry.Row;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The format of a backup, big endian, compressed with gzip. A text is that of {@link DataOutputStream#writeUTF}; data are a length (i32, -1
 * for none) and bytes.
 *
 * <pre>
 * i64  "heddleBK"
 * u8   version, 1
 * entries, each:
 * u8   kind
 *      1, origin: i64, i64 cluster id; i64 time, milliseconds since 1970; i32 number of buckets; text version of the schema
 *      2, row: text table; data JSON object
 *      3, change: text topic; i32 partition; i64 offset; data key; data value; data condition
 *      4, topic of an APPLICATION client: text name; i64, i64 id
 *      5, end: i64 number of entries before this one
 * </pre>
 */
final class BackupFormat {
    static final int END = 5;

    private static final long MAGIC = 0x686564646c65424bL;
    private static final int VERSION = 1;
    private static final int ORIGIN = 1;
    private static final int ROW = 2;
    private static final int CHANGE = 3;
    private static final int APPLICATION_TOPIC = 4;
    private static final int NONE = -1;
    private static final int LARGEST_DATA = 64 << 20;

    private BackupFormat() {}

    static void writeBeginning(DataOutputStream out) throws IOException {
        out.writeLong(MAGIC);
        out.writeByte(VERSION);
    }

    /** Throws StartupException if these are not the first bytes of a backup that this version can read. */
    static void readBeginning(DataInputStream in) throws IOException {
        if (in.readLong() != MAGIC) {
            throw new StartupException("it is not a backup: name a file that ./heddle backup has written", null);
        }
        int version = in.readUnsignedByte();
        if (version != VERSION) {
            throw new StartupException(
                    "the backup has version " + version + ", but this version of Heddle reads only version " + VERSION
                            + ": restore it with the version of Heddle that made it, or with a later one",
                    null);
        }
    }

    static void write(BackupEntry entry, DataOutputStream out) throws IOException {
        switch (entry) {
            case Origin origin -> {
                out.writeByte(ORIGIN);
                write(origin.clusterId(), out);
                out.writeLong(origin.madeAtMillis());
                out.writeInt(origin.buckets());
                out.writeUTF(origin.schema());
            }
            case Row row -> {
                out.writeByte(ROW);
                out.writeUTF(row.table());
                write(row.json(), out);
            }
            case Change change -> {
                out.writeByte(CHANGE);
                out.writeUTF(change.topic());
                out.writeInt(change.partition());
                out.writeLong(change.offset());
                write(change.key(), out);
                write(change.value(), out);
                write(change.condition(), out);
            }
            case ApplicationTopic topic -> {
                out.writeByte(APPLICATION_TOPIC);
                out.writeUTF(topic.name());
                write(topic.id(), out);
            }
        }
    }

    private static void write(UUID id, DataOutputStream out) throws IOException {
        out.writeLong(id.getMostSignificantBits());
        out.writeLong(id.getLeastSignificantBits());
    }

    private static void write(@Nullable BinaryData data, DataOutputStream out) throws IOException {
        if (data == null) {
            out.writeInt(NONE);
        } else {
            out.writeInt(data.length());
            out.write(data.array());
        }
    }

    static BackupEntry read(int kind, DataInputStream in) throws IOException {
        return switch (kind) {
            case ORIGIN -> new Origin(readId(in), in.readLong(), in.readInt(), in.readUTF());
            case ROW -> new Row(in.readUTF(), required(in));
            case CHANGE ->
                new Change(in.readUTF(), in.readInt(), in.readLong(), required(in), readData(in), readData(in));
            case APPLICATION_TOPIC -> new ApplicationTopic(in.readUTF(), readId(in));
            default -> throw new StartupException("the backup is damaged: it has an entry of kind " + kind, null);
        };
    }

    private static UUID readId(DataInputStream in) throws IOException {
        return new UUID(in.readLong(), in.readLong());
    }

    private static BinaryData required(DataInputStream in) throws IOException {
        BinaryData data = readData(in);
        if (data == null) {
            throw new StartupException("the backup is damaged: an entry has no data", null);
        }
        return data;
    }

    private static @Nullable BinaryData readData(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length == NONE) {
            return null;
        }
        if (length < 0 || length > LARGEST_DATA) {
            throw new StartupException("the backup is damaged: an entry has " + length + " bytes", null);
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return BinaryData.wrap(bytes);
    }
}

package io.heddle.persistence.record;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.message.binary.BinaryWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of an APPLICATION client's acknowledgements.
 *
 * <pre>
 * key:   u8   version, 1
 *        u8   kind: 1 for the log of a client
 *        text client id
 *        i64  generation of the session
 *        i64  epoch of the connection
 * value: u8   version, 1
 *        i64  everything below this offset is acknowledged
 *        i64  one above the highest sent offset, or -1 while the connection may still send
 *        u16  number of acknowledged ranges above it; each:
 *        u32    first offset, relative to the lowest offset
 *        u32    number of offsets
 *        u16  number of offsets for which PUBREC was received, in the order of the PUBRECs; each:
 *        u32    offset, relative to the lowest offset
 * </pre>
 */
public final class ProgressFormat implements ChangeFormat<ProgressKey, Progress> {
    private static final String NAME = "a progress";
    private static final int VERSION = 1;
    private static final int OF_CLIENT = 1;

    @Override
    public byte[] key(ProgressKey key) {
        return new BinaryWriter()
                .u8(VERSION)
                .u8(OF_CLIENT)
                .text(key.clientId().value())
                .i64(key.generation())
                .i64(key.epoch())
                .toBytes();
    }

    @Override
    public byte[] value(Progress progress) {
        BinaryWriter writer = new BinaryWriter()
                .u8(VERSION)
                .i64(progress.lowest())
                .i64(progress.sentBelow())
                .u16(progress.acknowledged().size());
        for (SequenceRange range : progress.acknowledged()) {
            writer.u32(range.first() - progress.lowest()).u32(range.end() - range.first());
        }
        writer.u16(progress.received().size());
        for (long received : progress.received()) {
            writer.u32(received - progress.lowest());
        }
        return writer.toBytes();
    }

    @Override
    public ProgressKey readKey(RecordReader key) {
        key.version(NAME, VERSION);
        int kind = key.u8();
        if (kind != OF_CLIENT) {
            throw key.malformed(NAME + " of kind " + kind + ", which this broker does not know");
        }
        String clientId = key.text();
        long generation = key.i64();
        long epoch = key.i64();
        key.finish();
        if (clientId.isEmpty()) {
            throw key.malformed(NAME + " without client id");
        }
        return new ProgressKey(new ClientId(clientId), generation, epoch);
    }

    @Override
    public Progress readValue(ProgressKey key, RecordReader value) {
        value.version(NAME, VERSION);
        long lowest = value.i64();
        long sentBelow = value.i64();
        int ranges = value.u16();
        List<SequenceRange> acknowledged = new ArrayList<>(ranges);
        for (int i = 0; i < ranges; i++) {
            long first = lowest + value.u32();
            acknowledged.add(new SequenceRange(first, first + value.u32()));
        }
        int receivedCount = value.u16();
        List<Long> received = new ArrayList<>(receivedCount);
        for (int i = 0; i < receivedCount; i++) {
            received.add(lowest + value.u32());
        }
        value.finish();
        return new Progress(lowest, acknowledged, received, sentBelow);
    }
}

package io.heddle.core.link;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The arrival times of the measured messages in another frame. A note is a frame of its own, just before the other one on the same lane:
 * nodes of earlier versions can read the other one, and drop the note.
 *
 * <pre>
 * u8   version, 1
 * u32  hash of the other frame
 * u16  count; for each:
 * u16    index of the message in the other frame
 * i64    when its PUBLISH arrived, microseconds since 1970 by the clock of the node that it arrived at
 * </pre>
 *
 * @param hash of the bytes of the other frame. If that frame was not sent, because the lane had no more room, its note applies to no other
 */
public record ArrivalNote(int hash, List<Arrival> arrivals) {
    private static final int VERSION = 1;

    /** The arrival of one message. */
    public record Arrival(int index, long micros) {}

    /** The note of a frame. */
    public static ArrivalNote of(byte[] frame, List<Arrival> arrivals) {
        return new ArrivalNote(Arrays.hashCode(frame), List.copyOf(arrivals));
    }

    /** Returns its bytes. */
    public byte[] encode() {
        BinaryWriter writer =
                new BinaryWriter().u8(VERSION).u32(Integer.toUnsignedLong(hash)).u16(arrivals.size());
        for (Arrival arrival : arrivals) {
            writer.u16(arrival.index).i64(arrival.micros);
        }
        return writer.toBytes();
    }

    /**
     * Reads a note.
     *
     * @throws io.heddle.core.message.frame.MalformedFrameException when it is truncated, or of another version
     */
    public static ArrivalNote decode(byte[] payload) {
        FrameReader reader = new FrameReader("a note of arrival times", payload);
        reader.version(VERSION);
        int hash = (int) reader.u32();
        int count = reader.u16();
        List<Arrival> arrivals = new ArrayList<>(Math.min(count, reader.remaining()));
        for (int i = 0; i < count; i++) {
            arrivals.add(new Arrival(reader.u16(), reader.i64()));
        }
        reader.finish();
        return new ArrivalNote(hash, arrivals);
    }

    /** Returns whether it belongs to a frame. */
    boolean isOf(byte[] frame) {
        return hash == Arrays.hashCode(frame);
    }
}

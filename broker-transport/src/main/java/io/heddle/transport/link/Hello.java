package io.heddle.transport.link;

import io.heddle.core.cluster.Incarnation;
import io.netty.buffer.ByteBuf;

/**
 * The first message on the connection of a lane.
 *
 * @param version of the link protocol that the sender speaks
 * @param from the sender
 * @param to the incarnation that the sender wants to reach, which may have ended since
 * @param lane 0 for control frames, 1 to {@link #LAST_LANE} for data
 */
record Hello(int version, Incarnation from, Incarnation to, int lane) {
    /** The version of the link protocol that this class speaks. */
    static final int VERSION = 2;

    /** The last lane of a link; bounds what a receiver keeps of a member. */
    static final int LAST_LANE = 15;

    /** More than the bytes of any first message. */
    static final int MAXIMUM_BYTES = 256;

    /** The bytes {@code HDLK}, which tell a link from clients of other protocols. */
    private static final int MAGIC = 0x48444C4B;

    static Hello of(Incarnation from, Incarnation to, int lane) {
        return new Hello(VERSION, from, to, lane);
    }

    /** Returns whether this node speaks the version of the sender. */
    boolean isUnderstood() {
        return version == VERSION;
    }

    void writeTo(ByteBuf out) {
        out.writeInt(MAGIC).writeByte(version).writeByte(lane);
        write(from, out);
        write(to, out);
    }

    private static void write(Incarnation incarnation, ByteBuf out) {
        out.writeLong(incarnation.offset()).writeInt(incarnation.random());
    }

    /** @throws MalformedLinkException if it is not one of a link */
    static Hello read(ByteBuf in) {
        try {
            if (in.readInt() != MAGIC) {
                throw new MalformedLinkException("the first message is not that of a link");
            }
            int version = in.readUnsignedByte();
            int lane = in.readUnsignedByte();
            if (lane > LAST_LANE) {
                throw new MalformedLinkException("the first message names lane " + lane);
            }
            return new Hello(version, incarnation(in), incarnation(in), lane);
        } catch (IndexOutOfBoundsException tooShort) {
            throw new MalformedLinkException("the first message is too short");
        }
    }

    private static Incarnation incarnation(ByteBuf in) {
        long offset = in.readLong();
        if (offset < 0) {
            throw new MalformedLinkException("the first message has a negative incarnation");
        }
        return new Incarnation(offset, in.readInt());
    }
}

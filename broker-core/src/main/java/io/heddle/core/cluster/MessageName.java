package io.heddle.core.cluster;

import io.heddle.core.message.binary.BinaryReader;
import io.heddle.core.message.binary.BinaryWriter;

/**
 * Identifies a QoS 2 message in the cluster, also when its publisher repeats it at another node.
 *
 * <pre>
 * i64  offset of the incarnation
 * u32  random part of the incarnation
 * u16  event loop
 * i64  number
 * </pre>
 *
 * @param node the incarnation that received the message first
 * @param loop the index of its event loop that received the message, 0 to 65,535
 * @param number counts the QoS 2 messages of the event loop, from 1
 */
public record MessageName(Incarnation node, int loop, long number) {
    /** The size of a written name. */
    public static final int BYTES = 22;

    public MessageName {
        if (number < 1) {
            throw new IllegalArgumentException("the number of a message is " + number + ": use 1 or more");
        }
    }

    /** Writes the {@value #BYTES} bytes of the name. */
    public void write(BinaryWriter out) {
        out.i64(node.offset())
                .u32(Integer.toUnsignedLong(node.random()))
                .u16(loop)
                .i64(number);
    }

    /**
     * Reads a name.
     *
     * @throws RuntimeException that of {@link BinaryReader#malformed} if there is none
     */
    public static MessageName read(BinaryReader in) {
        long offset = in.i64();
        int random = (int) in.u32();
        int loop = in.u16();
        long number = in.i64();
        if (offset < 0 || number < 1) {
            throw in.malformed("it has no message name");
        }
        return new MessageName(new Incarnation(offset, random), loop, number);
    }
}

package io.heddle.transport.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.nio.charset.StandardCharsets;

/**
 * The messages on the connection of a lane: the length of the rest (4 bytes), the type (1 byte), the body. The sender writes {@link #HELLO}
 * and then {@link #FRAME}s, whose numbers follow one another from the answer on, and {@link #PROBE}s. The receiver answers {@link #WELCOME},
 * {@link #REFUSED} or {@link #ENDED}, and then {@link #RECEIVED} shortly after the messages that it has read.
 */
final class LinkMessage {
    /** Body: a {@link Hello}. */
    static final byte HELLO = 1;

    /** Body: version (1 byte); the number of the last frame that the receiver has (8 bytes), 0 if none. */
    static final byte WELCOME = 2;

    /** Body: a reason in UTF-8. */
    static final byte REFUSED = 3;

    /** Body: the frame's kind (1 byte) and its payload. */
    static final byte FRAME = 4;

    /** Body: the number of the last frame that the receiver has handled (8 bytes). */
    static final byte RECEIVED = 5;

    /** No body. Only asks for {@link #RECEIVED}. */
    static final byte PROBE = 6;

    /** No body. Refuses a sender that has left or was declared dead, as far as the receiver has read the log of nodes. */
    static final byte ENDED = 7;

    /** The bytes before the payload of a frame: length, type, kind. */
    static final int FRAME_OVERHEAD = 6;

    /** More than the bytes of any message of a receiver. */
    static final int MAXIMUM_ANSWER_BYTES = 1_024;

    private static final int MAXIMUM_REASON_LENGTH = 300;
    private static final int LENGTH_BYTES = 4;

    private LinkMessage() {}

    /** Returns a decoder that splits the bytes of a connection into messages without their lengths. */
    static LengthFieldBasedFrameDecoder splitter(int maximumMessageBytes) {
        return new LengthFieldBasedFrameDecoder(maximumMessageBytes, 0, LENGTH_BYTES, 0, LENGTH_BYTES);
    }

    static ByteBuf hello(ByteBufAllocator allocator, Hello hello) {
        ByteBuf out = begin(allocator, HELLO);
        hello.writeTo(out);
        return end(out);
    }

    static ByteBuf welcome(ByteBufAllocator allocator, long lastReceived) {
        return end(begin(allocator, WELCOME).writeByte(Hello.VERSION).writeLong(lastReceived));
    }

    static ByteBuf refused(ByteBufAllocator allocator, String reason) {
        ByteBuf out = begin(allocator, REFUSED);
        ByteBufUtil.writeUtf8(out, reason.substring(0, Math.min(reason.length(), MAXIMUM_REASON_LENGTH)));
        return end(out);
    }

    static ByteBuf ended(ByteBufAllocator allocator) {
        return end(begin(allocator, ENDED));
    }

    /** Reads the body of a refusal. Characters that could forge log lines are replaced. */
    static String reason(ByteBuf body) {
        return body.toString(StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
    }

    static ByteBuf received(ByteBufAllocator allocator, long number) {
        return end(begin(allocator, RECEIVED).writeLong(number));
    }

    static ByteBuf probe(ByteBufAllocator allocator) {
        return end(begin(allocator, PROBE));
    }

    /** Writes the bytes of a frame before its payload. */
    static void writeFrameHead(ByteBuf out, int kind, int payloadBytes) {
        out.writeInt(FRAME_OVERHEAD - LENGTH_BYTES + payloadBytes)
                .writeByte(FRAME)
                .writeByte(kind);
    }

    private static ByteBuf begin(ByteBufAllocator allocator, byte type) {
        return allocator.heapBuffer(Integer.BYTES * Long.BYTES).writeInt(0).writeByte(type);
    }

    private static ByteBuf end(ByteBuf out) {
        return out.setInt(out.readerIndex(), out.readableBytes() - LENGTH_BYTES);
    }
}

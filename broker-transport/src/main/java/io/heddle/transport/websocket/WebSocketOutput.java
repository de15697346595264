package io.heddle.transport.websocket;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.transport.connection.OutputFraming;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/**
 * The frames that the server sends on one connection: the packets of one write are one binary frame [MQTT-6.0.0-1], whose header is written
 * in front of them. A large packet takes several writes, and so several frames [MQTT-6.0.0-3]. They are no fragments of one message, because
 * Eclipse Paho's client for Java cannot read those. Owned by the connection's event loop.
 */
@HotPath
final class WebSocketOutput implements OutputFraming {
    private static final int FINAL = 0x80;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PONG = 10;
    private static final int LONGEST_HEADER_BYTES = 10;
    private static final int LONGEST_SHORT = 125;
    private static final int LONGEST_MEDIUM = 65_535;
    private static final int MEDIUM_FOLLOWS = 126;
    private static final int LONG_FOLLOWS = 127;
    private static final int NONE = -1;

    private int status = NONE;
    private boolean ended;

    @Override
    public void reserve(ByteBuf empty) {
        empty.setIndex(LONGEST_HEADER_BYTES, LONGEST_HEADER_BYTES);
    }

    @Override
    public void complete(ByteBuf packets) {
        int length = packets.readableBytes();
        int start = packets.readerIndex();
        if (length <= LONGEST_SHORT) {
            start -= 2;
            packets.setByte(start + 1, length);
        } else if (length <= LONGEST_MEDIUM) {
            start -= 4;
            packets.setByte(start + 1, MEDIUM_FOLLOWS);
            packets.setShort(start + 2, length);
        } else {
            start -= LONGEST_HEADER_BYTES;
            packets.setByte(start + 1, LONG_FOLLOWS);
            packets.setLong(start + 2, length);
        }
        packets.setByte(start, FINAL | BINARY);
        packets.readerIndex(start);
    }

    @Override
    public void closeFor(ReasonCode reason) {
        closeWith(CloseStatus.of(reason));
    }

    /** Notes the status of the Close frame, unless another one was noted before. */
    void closeWith(int closeStatus) {
        if (status == NONE) {
            status = closeStatus;
        }
    }

    @Override
    public boolean isEnded() {
        return ended;
    }

    @Override
    public ByteBuf lastFrame(ByteBufAllocator allocator) {
        if (ended) {
            return Unpooled.EMPTY_BUFFER;
        }
        ended = true;
        return allocator
                .ioBuffer(4)
                .writeByte(FINAL | CLOSE)
                .writeByte(2)
                .writeShort(status == NONE ? CloseStatus.NORMAL : status);
    }

    /** Returns a Pong frame with the data of a Ping frame, at most 125 bytes. */
    static ByteBuf pong(ByteBufAllocator allocator, byte[] data, int length) {
        return allocator
                .ioBuffer(2 + length)
                .writeByte(FINAL | PONG)
                .writeByte(length)
                .writeBytes(data, 0, length);
    }
}

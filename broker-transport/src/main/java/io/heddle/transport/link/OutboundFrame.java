package io.heddle.transport.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** A frame that is kept until it is acknowledged. Immutable. */
final class OutboundFrame {
    private final int kind;
    private final byte[] payload;

    /** @param payload not changed afterwards */
    OutboundFrame(int kind, byte[] payload) {
        this.kind = kind;
        this.payload = payload;
    }

    int bytes() {
        return LinkMessage.FRAME_OVERHEAD + payload.length;
    }

    /** Returns the bytes in memory, for the {@link SendBudget}. */
    int charge() {
        return SendBudget.FRAME_OVERHEAD + payload.length;
    }

    void writeTo(ByteBuf out) {
        writeHeadTo(out);
        out.writeBytes(payload);
    }

    /** Writes the bytes before the payload. */
    void writeHeadTo(ByteBuf out) {
        LinkMessage.writeFrameHead(out, kind, payload.length);
    }

    /** Returns the payload without copying it. */
    ByteBuf payload() {
        return Unpooled.wrappedBuffer(payload);
    }
}

package io.heddle.transport.connection;

import io.heddle.core.mqtt.ReasonCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * The frames in which a connection carries its output, such as those of WebSocket. Every method is called on the connection's event
 * loop.
 */
public interface OutputFraming {
    /** Reserves room for the header at the beginning of an empty buffer, so that the packets need not be copied. */
    void reserve(ByteBuf empty);

    /** Writes the header of a frame in front of the readable bytes, into the reserved room. */
    void complete(ByteBuf packets);

    /** Notes why this side closes the connection. The first reason counts. */
    void closeFor(ReasonCode reason);

    /** Returns whether the last frame was created, which no other may follow. */
    boolean isEnded();

    /** Returns the last frame, which tells the client that the connection is being closed; empty if it was sent before. */
    ByteBuf lastFrame(ByteBufAllocator allocator);
}

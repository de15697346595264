package io.heddle.perf.load.client;

import java.nio.ByteBuffer;

/** What a client is there for. Called on the generator's thread. */
public interface Role {
    /**
     * A message.
     *
     * @param in valid during the call, by absolute positions only
     * @param nowNanos when its bytes were read
     */
    void delivered(ByteBuffer in, int payloadAt, int payloadLength, long nowNanos);

    /** PUBACK or PUBREC: the broker answers for the message, or with a reason code from 0x80 on refuses it. */
    void acknowledged(int packetId, int reasonCode, long nowNanos);

    /** PUBACK or PUBCOMP: the packet identifier is free again. */
    void completed(int packetId);

    /** What could not be written before now is. */
    void writable();

    /** The connection has ended without being asked to; the reason completes "the connection broke: …". */
    void broken(String reason);
}

package io.heddle.perf.load.client;

import io.heddle.perf.load.wire.BrokerFaultException;
import java.nio.ByteBuffer;
import java.util.List;

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

    /** The connection came up, with its subscription if it has one. */
    default void ready() {}

    /** CONNACK with an error code; {@link #broken} follows. */
    default void refused(int code) {}

    /** Whether received messages are acknowledged. */
    default boolean acknowledges() {
        return true;
    }

    /** SUBACK of a SUBSCRIBE that the role sent itself. */
    default void subscribed(List<Integer> codes) {
        throw new BrokerFaultException("SUBACK without a SUBSCRIBE");
    }

    /** UNSUBACK of an UNSUBSCRIBE that the role sent itself. */
    default void unsubscribed() {
        throw new BrokerFaultException("UNSUBACK without an UNSUBSCRIBE");
    }

    /** What could not be written before now is. */
    void writable();

    /** The connection has ended without being asked to; the reason completes "the connection broke: …". */
    void broken(String reason);
}

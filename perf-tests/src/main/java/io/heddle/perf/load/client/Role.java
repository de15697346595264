package io.heddle.perf.load.client;

import io.heddle.perf.load.wire.BrokerFaultException;
import java.nio.ByteBuffer;
import java.util.List;

/** The behaviour of a client. Called on the generator's thread. */
public interface Role {
    /**
     * A message was delivered.
     *
     * @param in valid during the call, by absolute positions only
     * @param nowNanos the time at which its bytes were read
     */
    void delivered(ByteBuffer in, int payloadAt, int payloadLength, long nowNanos);

    /** PUBACK or PUBREC: the broker has accepted the message or, with a reason code of 0x80 or above, refused it. */
    void acknowledged(int packetId, int reasonCode, long nowNanos);

    /** PUBACK or PUBCOMP: the packet identifier is free again. */
    void completed(int packetId);

    /** The connection is ready, including its subscription. */
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

    /** All buffered data has been written. */
    void writable();

    /** The connection has ended unexpectedly. The reason completes "the connection broke: …". */
    void broken(String reason);
}

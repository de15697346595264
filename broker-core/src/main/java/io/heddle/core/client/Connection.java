package io.heddle.core.client;

import io.heddle.core.Port;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.packet.MqttPacket;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The outbound side of a client's Network Connection. Owned by its event loop: only {@link #eventLoop}, {@link #isOpen}, {@link
 * #isDraining} and {@link #isGone} may be called on other threads.
 */
@Port
public interface Connection {
    /** The payload from which {@link #hasRoomFor} counts even if the connection is writable. */
    int LARGE_PAYLOAD_BYTES = 64 * 1024;

    /** Returns the owner thread. Any thread. */
    EventLoop eventLoop();

    /** Returns the client's address; behind a trusted proxy, the address that the proxy reports. */
    SocketAddress remoteAddress();

    ClientNames names();

    /** Returns the name of the listener that accepted the connection. */
    String listener();

    /** Returns the certificate of the client, which TLS has verified, or null if it has shown none. */
    @Nullable
    ClientCertificate certificate();

    /**
     * Encodes a packet for this client's protocol version. All packets of one turn of the event loop are written together at its
     * end. Does nothing after {@link #close} or when the connection is lost. A packet above the client's Maximum Packet Size is
     * not sent [MQTT-3.1.2-24].
     *
     * @return false if the packet is too large or the connection is closed
     */
    boolean send(MqttPacket packet);

    /**
     * Returns whether the client keeps up: false once unsent output exceeds the high watermark, until it falls below the low
     * watermark.
     */
    boolean isWritable();

    /**
     * Returns whether a QoS 0 message with this payload may be sent: true while the connection is writable, false once its unsent output, or
     * that of all connections of the node, reaches its limit. From {@link
     * #LARGE_PAYLOAD_BYTES} on, the limit of the node counts in either case.
     */
    boolean hasRoomFor(BinaryData payload);

    /** Returns whether unsent output is so large that publishers of QoS 0 messages for this client must be throttled. */
    boolean isCongested();

    /**
     * Returns whether the operating system has accepted any output since the last call, or nothing is unsent. While the
     * connection is not writable the client is not read, so this is the only sign that it is alive.
     */
    boolean takesOutput();

    /** Returns how many bytes have arrived of the packet that is being received; 0 if none is. Also after the connection is lost. */
    int unfinishedBytes();

    /** Stops reading from the client until {@link #resumeReading}, to throttle a publisher that is faster than storage. */
    void pauseReading();

    void resumeReading();

    /**
     * The client has violated the protocol with a packet that was received in an earlier turn, so that its receiver cannot throw: counts, logs
     * and answers the violation, and closes the connection. Does nothing after {@link #close} or when the connection is lost.
     */
    void reject(ProtocolException violation);

    /** Closes the connection after pending output is written; the session is notified as for a lost connection. Idempotent. */
    void close();

    /** Returns whether neither side has closed. Any thread; threads other than the owner may see a close slightly later. */
    boolean isOpen();

    /**
     * Returns whether the client has closed its side, or the connection is lost, while packets that the client has sent before wait to
     * be processed. False once this side has closed. Any thread, like {@link #isOpen}.
     */
    boolean isDraining();

    /**
     * Returns whether the connection is closed and nothing of it is left to do. Any thread, like {@link #isOpen}; at the end of a
     * connection, none of the three may be true for a moment.
     */
    default boolean isGone() {
        return !isOpen() && !isDraining();
    }
}

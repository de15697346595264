package io.heddle.core.client;

import io.heddle.core.Port;
import io.heddle.core.mqtt.packet.MqttPacket;
import java.net.SocketAddress;

/**
 * The outbound door of one client's network connection. Owned by its event loop: every method except {@link #eventLoop} and {@link
 * #isOpen} is called on that thread only.
 */
@Port
public interface Connection {
    /** The owner thread. Any thread may ask. */
    EventLoop eventLoop();

    /** Where the client connects from; behind a trusted proxy, what the proxy says. */
    SocketAddress remoteAddress();

    /**
     * Encodes a packet for this client's protocol version. What is sent in one turn of the event loop leaves in one write at
     * the end of the turn. After {@link #close} and after the connection was lost it does nothing. A packet above the client's
     * Maximum Packet Size is not sent [MQTT-3.1.2-24].
     *
     * @return whether the packet is on its way; false when it was too large or the connection is closed
     */
    boolean send(MqttPacket packet);

    /** Whether the client keeps up: false from the high watermark of unsent output until less than the low watermark is unsent. */
    boolean isWritable();

    /**
     * Whether a QoS 0 message may be sent. Always true while the connection is writable; false once its unsent output, or that of
     * all connections of the node, reaches its bound.
     */
    boolean hasRoom();

    /** Whether so much is unsent that the publishers of QoS 0 messages for this client have to be slowed. */
    boolean isCongested();

    /**
     * Whether the system has taken any of the output since the last call, or nothing is unsent. The client is not read while the
     * connection is not writable, so this is then its only sign of life.
     */
    boolean takesOutput();

    /** Reads nothing more from the client until {@link #resumeReading}: a brake for those who publish faster than it can be kept. */
    void pauseReading();

    /** Reads again. */
    void resumeReading();

    /** Closes after what was sent so far is written; the session is told through its usual way. Idempotent. */
    void close();

    /** Whether neither side has closed. Any thread may ask; another than the owner may learn it a moment later. */
    boolean isOpen();
}

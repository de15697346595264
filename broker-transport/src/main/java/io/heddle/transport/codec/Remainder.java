package io.heddle.transport.codec;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.packet.MqttPacket;
import org.jspecify.annotations.Nullable;

/**
 * Received bytes that were still undecoded when their connection was lost, because the {@link MqttDecoder.Gate} was closed. Owned
 * by the connection's event loop.
 */
public interface Remainder {
    /** Returns whether there are any. The caller must take them until {@link #next} returns null, or drop them. */
    boolean isWaiting();

    /** Returns whether the next packet is heavy, see {@link MqttDecoder.Gate#admitsPacket}. */
    boolean isNextHeavy();

    /**
     * Returns the next packet, which the gate must admit, or null if no complete one is left.
     *
     * @throws ProtocolException for the first violation; nothing can be decoded after it
     */
    @Nullable
    MqttPacket next();

    /** Releases the remaining bytes. */
    void drop();
}

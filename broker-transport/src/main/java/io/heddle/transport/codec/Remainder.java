package io.heddle.transport.codec;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.packet.MqttPacket;
import org.jspecify.annotations.Nullable;

/**
 * Received bytes that were not decoded when their connection was lost, because the {@link MqttDecoder.Gate} was closed. Belongs to
 * the connection's event loop.
 */
public interface Remainder {
    /** Whether there are any. They are to be taken until {@link #next} has no more, or to be dropped. */
    boolean isWaiting();

    /** True if the next packet is heavy, see {@link MqttDecoder.Gate#admitsPacket}. */
    boolean isNextHeavy();

    /**
     * The next packet, which the gate must admit; null when no whole one is left.
     *
     * @throws ProtocolException for the first violation; nothing can be decoded after it
     */
    @Nullable
    MqttPacket next();

    /** Releases the bytes that are left. */
    void drop();
}

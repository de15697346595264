package io.heddle.core.session;

import io.heddle.core.HotPath;
import java.util.BitSet;

/**
 * The Packet Identifiers of the QoS 2 messages that were received and not yet released by PUBREL: a PUBLISH with one of them is
 * the same message again [MQTT-4.3.3-10]. Belongs to the session's event loop and outlives its connections. Bound: 65,535.
 */
@HotPath
final class InboundQos2 {
    private final BitSet received = new BitSet();

    boolean contains(int packetId) {
        return received.get(packetId);
    }

    void add(int packetId) {
        received.set(packetId);
    }

    /** Forgets an identifier and says whether it was there. */
    boolean remove(int packetId) {
        boolean present = received.get(packetId);
        received.clear(packetId);
        return present;
    }

    int size() {
        return received.cardinality();
    }
}

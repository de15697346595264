package io.heddle.core.session;

import io.heddle.core.HotPath;
import java.util.Arrays;

/**
 * The Packet Identifiers of the QoS 2 messages that were received and not yet released by PUBREL: a PUBLISH with one of them is
 * the same message again [MQTT-4.3.3-10]. Belongs to the session's event loop and outlives its connections. Bound: 65,535, at two
 * bytes each.
 */
@HotPath
final class InboundQos2 {
    private static final int INITIAL_CAPACITY = 4;
    private static final char[] NONE = {};

    // Sorted; the first `count` are in use.
    private char[] received = NONE;
    private int count;

    boolean contains(int packetId) {
        return position(packetId) >= 0;
    }

    private int position(int packetId) {
        return Arrays.binarySearch(received, 0, count, (char) packetId);
    }

    /** Remembers an identifier, 1 to 65,535, that is not there. */
    void add(int packetId) {
        if (count == received.length) {
            received = Arrays.copyOf(received, Math.max(INITIAL_CAPACITY, count * 2));
        }
        int at = -position(packetId) - 1;
        System.arraycopy(received, at, received, at + 1, count - at);
        received[at] = (char) packetId;
        count++;
    }

    /** Forgets an identifier and says whether it was there. */
    boolean remove(int packetId) {
        int at = position(packetId);
        if (at < 0) {
            return false;
        }
        count--;
        System.arraycopy(received, at + 1, received, at, count - at);
        if (count == 0) {
            received = NONE;
        }
        return true;
    }
}

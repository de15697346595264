package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.quota.MemoryBudget;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The Packet Identifiers of the QoS 2 messages that were received and not yet released by PUBREL: a PUBLISH with one of them repeats its
 * message [MQTT-4.3.3-10]. Those of earlier connections have the names of their messages. Owned by the session's event loop. Bound: the caller's
 * limit, at most 65,535 identifiers, each charged to the memory of all sessions.
 */
@HotPath
final class InboundQos2 {
    /** Two bytes in the array, which may be half empty. */
    static final int HELD_BYTES = 4;
    /** A name and its entry in the map. */
    static final int NAME_BYTES = 128;

    private static final int INITIAL_CAPACITY = 4;
    private static final char[] NONE = {};

    private final MemoryBudget memory;
    // Sorted; the first `count` are in use.
    private char[] received = NONE;
    private int count;
    // Of messages that earlier connections have stored.
    private final Map<Integer, MessageName> names = new HashMap<>(0);

    InboundQos2(MemoryBudget memory) {
        this.memory = memory;
    }

    /** The number of identifiers. */
    int count() {
        return count;
    }

    boolean contains(int packetId) {
        return position(packetId) >= 0;
    }

    private int position(int packetId) {
        return Arrays.binarySearch(received, 0, count, (char) packetId);
    }

    /** Adds an identifier, 1 to 65,535, that is not present; false when there is no memory for it. */
    boolean tryAdd(int packetId) {
        if (!memory.tryCharge(HELD_BYTES)) {
            return false;
        }
        insert(packetId);
        return true;
    }

    /** Adds an identifier of an earlier connection, even without memory for it. */
    void restore(int packetId, MessageName name) {
        memory.charge(HELD_BYTES + NAME_BYTES);
        insert(packetId);
        names.put(packetId, name);
    }

    /** Removes and returns the name of a message that an earlier connection has stored; null for other messages and from the second call on. */
    @Nullable
    MessageName takeName(int packetId) {
        MessageName name = names.remove(packetId);
        if (name != null) {
            memory.release(NAME_BYTES);
        }
        return name;
    }

    private void insert(int packetId) {
        if (count == received.length) {
            received = Arrays.copyOf(received, Math.max(INITIAL_CAPACITY, count * 2));
        }
        int at = -position(packetId) - 1;
        System.arraycopy(received, at, received, at + 1, count - at);
        received[at] = (char) packetId;
        count++;
    }

    /** Removes an identifier; false when it was not present. */
    boolean remove(int packetId) {
        int at = position(packetId);
        if (at < 0) {
            return false;
        }
        memory.release(HELD_BYTES);
        var _ = takeName(packetId);
        count--;
        System.arraycopy(received, at + 1, received, at, count - at);
        if (count == 0) {
            received = NONE;
        }
        return true;
    }

    /** The connection is lost. */
    void end() {
        memory.release((long) count * HELD_BYTES + (long) names.size() * NAME_BYTES);
        received = NONE;
        names.clear();
        count = 0;
    }
}

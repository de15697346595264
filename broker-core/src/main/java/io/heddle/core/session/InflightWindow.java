package io.heddle.core.session;

import io.heddle.core.HotPath;
import java.util.Arrays;
import java.util.Collection;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a client was sent and has not acknowledged, in the order in which they were sent first. Belongs to the
 * session's event loop and outlives its connections.
 *
 * <p>A message is sent, then, at QoS 2, released (PUBREC has come and PUBREL was sent), then gone. A ring by sequence number:
 * everything is found from its Packet Identifier without a search. Bound: fewer than {@link PacketIdentifiers#count()} numbers
 * from the oldest unacknowledged message to the newest.
 */
@HotPath
final class InflightWindow {
    private static final int INITIAL_CAPACITY = 8;

    private final PacketIdentifiers identifiers;
    // By sequence number modulo the length, which is a power of two: an Outgoing, a Released, or null when
    // acknowledged.
    private @Nullable Object[] ring = new @Nullable Object[INITIAL_CAPACITY];
    private long lowest;
    private long next;
    private int size;
    private long releases;

    /** Stands where a message was that the client has received and that only PUBCOMP is missing for. */
    private record Released(long order) {}

    InflightWindow(PacketIdentifiers identifiers) {
        this.identifiers = identifiers;
    }

    /** Whether no identifier is left for another message. */
    boolean isFull() {
        return next - lowest >= identifiers.count() - 1;
    }

    int size() {
        return size;
    }

    /** The number that the next message gets. */
    long next() {
        return next;
    }

    /** The lowest number that may be unacknowledged. */
    long lowest() {
        return lowest;
    }

    int identifier(long sequence) {
        return identifiers.identifier(sequence);
    }

    /** Adds a message and returns its sequence number. Not when the window is full. */
    long add(Outgoing message) {
        if (next - lowest == ring.length) {
            grow();
        }
        ring[slot(next)] = message;
        size++;
        return next++;
    }

    /** The unacknowledged and unreleased message with a number, or null. */
    @Nullable
    Outgoing message(long sequence) {
        return contains(sequence) && ring[slot(sequence)] instanceof Outgoing message ? message : null;
    }

    boolean isReleased(long sequence) {
        return contains(sequence) && ring[slot(sequence)] instanceof Released;
    }

    /** The number that an identifier stands for, or -1 when it stands for nothing unacknowledged. */
    long sequence(int packetId) {
        long sequence = identifiers.sequence(packetId, lowest);
        return contains(sequence) && ring[slot(sequence)] != null ? sequence : -1;
    }

    /** PUBREC has come: the message itself is not needed any more. */
    void release(long sequence) {
        ring[slot(sequence)] = new Released(releases++);
    }

    /** The exchange is over. */
    void remove(long sequence) {
        ring[slot(sequence)] = null;
        size--;
        while (lowest < next && ring[slot(lowest)] == null) {
            lowest++;
        }
        if (size == 0 && ring.length > INITIAL_CAPACITY) {
            ring = new @Nullable Object[INITIAL_CAPACITY];
        }
    }

    /** The numbers of what is released, in the order in which PUBREC came [MQTT-4.6.0-4]. */
    Collection<Long> released() {
        TreeMap<Long, Long> byOrder = new TreeMap<>();
        for (long sequence = lowest; sequence < next; sequence++) {
            if (ring[slot(sequence)] instanceof Released released) {
                byOrder.put(released.order(), sequence);
            }
        }
        return byOrder.values();
    }

    private boolean contains(long sequence) {
        return sequence >= lowest && sequence < next;
    }

    private int slot(long sequence) {
        return (int) sequence & (ring.length - 1);
    }

    private void grow() {
        @Nullable Object[] larger = Arrays.copyOf(ring, ring.length * 2);
        Arrays.fill(larger, null);
        for (long sequence = lowest; sequence < next; sequence++) {
            larger[(int) sequence & (larger.length - 1)] = ring[slot(sequence)];
        }
        ring = larger;
    }
}

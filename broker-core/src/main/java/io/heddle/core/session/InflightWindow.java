package io.heddle.core.session;

import io.heddle.core.HotPath;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a client was sent over one connection and has not acknowledged, by their numbers. Belongs to the connection's
 * event loop.
 *
 * <p>A message is sent, then, at QoS 2, released (PUBREC has come and PUBREL was sent), then gone. A ring by sequence number:
 * everything is found from its Packet Identifier without a search. Numbers may be missing, and those that an earlier connection
 * has received may be released before their turn. Bound: fewer than {@link PacketIdentifiers#count()} numbers from the oldest
 * unacknowledged message to the newest.
 */
@HotPath
final class InflightWindow {
    private static final int INITIAL_CAPACITY = 8;

    private final PacketIdentifiers identifiers;
    // By sequence number modulo the length, which is a power of two: an InFlight, a Received, or null.
    private @Nullable Object[] ring = new @Nullable Object[INITIAL_CAPACITY];
    private long lowest;
    private long next;
    // One above the highest number in the ring: beyond next are those that were released before their turn.
    private long end;
    private int size;

    /** Stands where a message was that the client has received. */
    private enum Received {
        /** That is being remembered: then PUBREL is sent. */
        REMEMBERING,
        /** PUBREL was sent; only PUBCOMP is missing. */
        RELEASED,
        /** It is over before its turn has come: stays until then, so that it is not taken for one that was never sent. */
        COMPLETED
    }

    /**
     * Nothing is in flight.
     *
     * @param first nothing below this number is unacknowledged
     */
    InflightWindow(PacketIdentifiers identifiers, long first) {
        this.identifiers = identifiers;
        this.lowest = first;
        this.next = first;
        this.end = first;
    }

    /** Whether there is an identifier for a message with this number. */
    boolean hasRoomFor(long sequence) {
        return size == 0 || sequence - lowest < identifiers.count() - 1;
    }

    int size() {
        return size;
    }

    /** One above the highest number whose turn has come. */
    long next() {
        return next;
    }

    /** The lowest number that may be unacknowledged. */
    long lowest() {
        return lowest;
    }

    /** Below this number nothing is to come any more: beyond {@link #lowest} there may be what is over before its turn. */
    long doneBelow() {
        long below = lowest;
        while (below < end && ring[slot(below)] == Received.COMPLETED) {
            below++;
        }
        return below;
    }

    int identifier(long sequence) {
        return identifiers.identifier(sequence);
    }

    /** Adds a message with a number that is not below {@link #next} and that there is room for. */
    void add(long sequence, InFlight message) {
        put(sequence, message);
    }

    /** The same for a message that the client has received already and whose PUBREL is sent. */
    void addReleased(long sequence) {
        put(sequence, Received.RELEASED);
    }

    /** The same before its turn: lower numbers may still be added. There is room for it as for any other. */
    void releaseEarly(long sequence) {
        extendTo(sequence);
        ring[slot(sequence)] = Received.RELEASED;
        size++;
    }

    /** Whether a number whose turn has come was released before. */
    boolean isReleasedEarly(long sequence) {
        return contains(sequence) && ring[slot(sequence)] != null;
    }

    /** The turn of a number has come that needs no acknowledgement, or was released before. Not below {@link #next}. */
    void skip(long sequence) {
        if (size == 0) {
            lowest = sequence + 1;
        }
        extendTo(sequence);
        next = sequence + 1;
        moveOn();
    }

    private void extendTo(long sequence) {
        while (sequence + 1 - lowest > ring.length) {
            grow();
        }
        end = Math.max(end, sequence + 1);
    }

    private void put(long sequence, Object entry) {
        if (size == 0) {
            lowest = sequence;
        }
        extendTo(sequence);
        ring[slot(sequence)] = entry;
        size++;
        next = sequence + 1;
        moveOn();
    }

    /** Nothing at the lowest number needs an acknowledgement any more: passes on to the first that does. */
    private void moveOn() {
        while (lowest < next) {
            Object entry = ring[slot(lowest)];
            if (entry == Received.COMPLETED) {
                ring[slot(lowest)] = null;
                size--;
            } else if (entry != null) {
                break;
            }
            lowest++;
        }
        if (size == 0) {
            end = next;
            if (ring.length > INITIAL_CAPACITY) {
                ring = new @Nullable Object[INITIAL_CAPACITY];
            }
        }
    }

    /** The message with a number, unless PUBREC has come for it, or null. */
    @Nullable
    InFlight message(long sequence) {
        return contains(sequence) && ring[slot(sequence)] instanceof InFlight message ? message : null;
    }

    boolean isReleased(long sequence) {
        return contains(sequence) && ring[slot(sequence)] == Received.RELEASED;
    }

    /** The number that an identifier stands for, or -1 when it stands for nothing unacknowledged. */
    long sequence(int packetId) {
        long sequence = identifiers.sequence(packetId, lowest);
        Object entry = contains(sequence) ? ring[slot(sequence)] : null;
        return entry != null && entry != Received.COMPLETED ? sequence : -1;
    }

    /** PUBREC has come: the message itself is not needed any more. */
    void received(long sequence) {
        ring[slot(sequence)] = Received.REMEMBERING;
    }

    /** PUBREL is sent. */
    void released(long sequence) {
        ring[slot(sequence)] = Received.RELEASED;
    }

    /** The exchange is over. */
    void remove(long sequence) {
        if (sequence >= next) {
            ring[slot(sequence)] = Received.COMPLETED;
            return;
        }
        ring[slot(sequence)] = null;
        size--;
        moveOn();
    }

    private boolean contains(long sequence) {
        return sequence >= lowest && sequence < end;
    }

    private int slot(long sequence) {
        return (int) sequence & (ring.length - 1);
    }

    private void grow() {
        @Nullable Object[] larger = new @Nullable Object[ring.length * 2];
        for (long sequence = lowest; sequence < end; sequence++) {
            larger[(int) sequence & (larger.length - 1)] = ring[slot(sequence)];
        }
        ring = larger;
    }
}

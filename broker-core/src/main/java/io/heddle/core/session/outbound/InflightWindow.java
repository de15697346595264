package io.heddle.core.session.outbound;

import io.heddle.core.HotPath;
import io.heddle.core.delivery.log.OutboundQueue.InFlight;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a client was sent over one connection and has not acknowledged, by sequence number. Owned by the connection's
 * event loop.
 *
 * <p>States of a message: sent → at QoS 2 released (PUBREC has come and PUBREL was sent) → removed. A ring buffer by sequence number
 * finds a message from its Packet Identifier without a search. Sequence numbers may be missing. Messages that the client received over
 * an earlier connection may be released before their turn. Bound: fewer than {@link PacketIdentifiers#count()} sequence numbers from
 * the oldest unacknowledged message to the newest.
 */
@HotPath
final class InflightWindow {
    private static final int INITIAL_CAPACITY = 8;

    private final PacketIdentifiers identifiers;
    // By sequence number modulo the length, which is a power of two: an InFlight, a Received, or null.
    private @Nullable Object[] ring = new @Nullable Object[INITIAL_CAPACITY];
    private long lowest;
    private long next;
    // One above the highest sequence number in the ring: beyond next are the messages released before their turn.
    private long end;
    private int size;

    /** Replaces a message that the client has received. */
    private enum Received {
        /** The PUBREC is being stored; then PUBREL is sent. */
        STORING_PUBREC,
        /** PUBREL was sent; only PUBCOMP is missing. */
        RELEASED,
        /** PUBCOMP came before the message's turn. The entry stays until then, so that the message is not sent again. */
        COMPLETED
    }

    /**
     * An empty window.
     *
     * @param first all messages below this sequence number are acknowledged
     */
    InflightWindow(PacketIdentifiers identifiers, long first) {
        this.identifiers = identifiers;
        this.lowest = first;
        this.next = first;
        this.end = first;
    }

    /** Returns whether a Packet Identifier is free for a message with this sequence number. */
    boolean hasRoomFor(long sequence) {
        return size == 0 || sequence - lowest < identifiers.count() - 1;
    }

    int size() {
        return size;
    }

    /** One above the highest sequence number whose turn has come. */
    long next() {
        return next;
    }

    /** The lowest sequence number that may be unacknowledged. */
    long lowest() {
        return lowest;
    }

    /** All messages below this sequence number are completed, including those from {@link #lowest} on that were completed before their turn. */
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

    /** Adds a message whose sequence number is not below {@link #next}. Only with room. */
    void add(long sequence, InFlight message) {
        put(sequence, message);
    }

    /** Adds a message that the client has received already and whose PUBREL is sent. */
    void addReleased(long sequence) {
        put(sequence, Received.RELEASED);
    }

    /** Adds a released message before its turn: lower sequence numbers may still be added. Only with room. */
    void releaseEarly(long sequence) {
        extendTo(sequence);
        ring[slot(sequence)] = Received.RELEASED;
        size++;
    }

    /** Returns whether the message whose turn has come was released before. */
    boolean isReleasedEarly(long sequence) {
        return contains(sequence) && ring[slot(sequence)] != null;
    }

    /** Skips a sequence number that needs no acknowledgement or was released early. Not below {@link #next}. */
    void skip(long sequence) {
        if (size == 0) {
            lowest = sequence + 1;
        }
        extendTo(sequence);
        next = sequence + 1;
        advance();
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
        advance();
    }

    /** Advances to the lowest sequence number that needs an acknowledgement. */
    private void advance() {
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

    /** The message with a sequence number, or null when there is none or PUBREC has come for it. */
    @Nullable
    InFlight message(long sequence) {
        return contains(sequence) && ring[slot(sequence)] instanceof InFlight message ? message : null;
    }

    boolean isReleased(long sequence) {
        return contains(sequence) && ring[slot(sequence)] == Received.RELEASED;
    }

    /** The sequence number of the unacknowledged message with this Packet Identifier, or -1 when there is none. */
    long sequence(int packetId) {
        long sequence = identifiers.sequence(packetId, lowest);
        Object entry = contains(sequence) ? ring[slot(sequence)] : null;
        return entry != null && entry != Received.COMPLETED ? sequence : -1;
    }

    /** PUBREC has come: the window drops the message and keeps its place. */
    void received(long sequence) {
        ring[slot(sequence)] = Received.STORING_PUBREC;
    }

    /** PUBREL was sent. */
    void released(long sequence) {
        ring[slot(sequence)] = Received.RELEASED;
    }

    /** The exchange is completed. */
    void remove(long sequence) {
        if (sequence >= next) {
            ring[slot(sequence)] = Received.COMPLETED;
            return;
        }
        ring[slot(sequence)] = null;
        size--;
        advance();
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

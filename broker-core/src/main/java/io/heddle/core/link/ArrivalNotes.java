package io.heddle.core.link;

import io.heddle.core.cluster.Incarnation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The arrival times that other nodes have sent for their next frame. Thread-safe. Bound: one note for each lane. */
public final class ArrivalNotes implements LinkListener {
    private final Map<Lane, ArrivalNote> notes = new ConcurrentHashMap<>();

    private record Lane(Incarnation from, int number) {}

    /**
     * A note has come.
     *
     * @throws io.heddle.core.message.frame.MalformedFrameException when it cannot be read
     */
    public void onNote(Incarnation from, int lane, byte[] payload) {
        notes.put(new Lane(from, lane), ArrivalNote.decode(payload));
    }

    /** Returns the arrival times for a frame that has come after its note, or nothing. */
    public List<ArrivalNote.Arrival> take(Incarnation from, int lane, byte[] frame) {
        if (notes.isEmpty()) {
            return List.of();
        }
        ArrivalNote note = notes.remove(new Lane(from, lane));
        return note != null && note.isOf(frame) ? note.arrivals() : List.of();
    }

    @Override
    public void onEnded(Incarnation incarnation) {
        notes.keySet().removeIf(lane -> lane.from.equals(incarnation));
    }
}

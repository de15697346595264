package io.heddle.core.session.registrar.remote;

import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.View;
import io.heddle.core.link.NodeLinks;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The control lanes to the other members, for frames of the registrar. Thread-safe. Bound: one entry for each member; the frames that wait
 * for room are bounded by the requests of the clients.
 */
final class RegistrarLanes {
    /** The kind of all frames of the registrar. */
    static final int KIND = 0x10;

    private final Incarnation self;
    private final NodeLinks links;
    private final EventLoop timers;
    private final ConcurrentHashMap<Incarnation, OrderedLane> lanes = new ConcurrentHashMap<>();

    RegistrarLanes(Incarnation self, NodeLinks links, EventLoop timers) {
        this.self = self;
        this.links = links;
        this.timers = timers;
    }

    /** Adds the lanes to new members, and removes those to members that have ended. One view after another. */
    void onView(View view) {
        view.members().forEach(each -> add(each.incarnation()));
        lanes.forEach((member, lane) -> {
            // The view may not know a member yet whose frames have arrived.
            if (!view.isMember(member) && member.offset() < view.next()) {
                lanes.remove(member);
                lane.end();
            }
        });
    }

    /** Adds the lane to a member whose frame has arrived. */
    void add(Incarnation member) {
        if (!member.equals(self)) {
            lanes.computeIfAbsent(
                    member, to -> new OrderedLane(frame -> links.send(to, NodeLinks.CONTROL, KIND, frame), timers));
        }
    }

    /** Returns whether a frame of this size can be sent at all. */
    boolean isSendable(byte[] frame) {
        return frame.length <= links.maximumPayloadBytes();
    }

    /** Sends a frame, or returns false if there is no room for it now. */
    boolean trySend(Incarnation to, byte[] frame) {
        OrderedLane lane = lanes.get(to);
        return lane != null && lane.trySend(frame);
    }

    /** Sends a frame, now or when there is room. A frame to a member that has ended is dropped. */
    void send(Incarnation to, RegistrarFrame frame) {
        @Nullable OrderedLane lane = lanes.get(to);
        if (lane != null) {
            lane.send(frame.encode());
        }
    }
}

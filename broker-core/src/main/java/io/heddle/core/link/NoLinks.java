package io.heddle.core.link;

import io.heddle.core.cluster.Incarnation;

/** The links of a node that is alone on its stores: there is no member to link to. Stateless. */
public final class NoLinks implements NodeLinks {
    @Override
    public int dataLanes() {
        return 1;
    }

    @Override
    public int maximumPayloadBytes() {
        return 0;
    }

    @Override
    public boolean send(Incarnation to, int lane, int kind, byte[] payload) {
        return false;
    }

    @Override
    public boolean hasRoomFor(Incarnation to, int lane, int bytes) {
        return false;
    }

    @Override
    public boolean isUp(Incarnation member) {
        return false;
    }

    @Override
    public long silentNanos(Incarnation member) {
        return 0;
    }

    @Override
    public void receive(int firstKind, int lastKind, FrameReceiver receiver) {
        // No member sends frames.
    }

    @Override
    public void watch(LinkListener listener) {
        // No member joins or ends.
    }
}

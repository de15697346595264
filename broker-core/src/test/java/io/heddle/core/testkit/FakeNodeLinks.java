package io.heddle.core.testkit;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.FrameReceiver;
import io.heddle.core.link.LinkListener;
import io.heddle.core.link.NodeLinks;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The side of {@link NodeLinks} that is the same in all fakes: its bounds, its receivers and its listeners. Thread-safe. */
public abstract class FakeNodeLinks implements NodeLinks {
    /** About the bytes in memory of a frame without payload. */
    private static final int FRAME_OVERHEAD = 64;

    private final int dataLanes;
    private final int maximumPayloadBytes;
    private final Map<Integer, FrameReceiver> receivers = new ConcurrentHashMap<>();
    private final List<LinkListener> listeners = new CopyOnWriteArrayList<>();

    protected FakeNodeLinks(int dataLanes, int maximumPayloadBytes) {
        this.dataLanes = dataLanes;
        this.maximumPayloadBytes = maximumPayloadBytes;
    }

    /** A frame on its way. */
    public static final class Frame {
        private final int kind;
        private final byte[] payload;

        Frame(int kind, byte[] payload) {
            this.kind = kind;
            this.payload = payload;
        }

        public int kind() {
            return kind;
        }

        public byte[] payload() {
            return payload;
        }

        /** Returns the bytes that count against the bound of a link. */
        public int charge() {
            return charge(payload.length);
        }

        /** Returns the bytes of a frame with a payload of this length. */
        public static int charge(int payloadBytes) {
            return FRAME_OVERHEAD + payloadBytes;
        }
    }

    @Override
    public final int dataLanes() {
        return dataLanes;
    }

    @Override
    public final int maximumPayloadBytes() {
        return maximumPayloadBytes;
    }

    @Override
    public final boolean send(Incarnation to, int lane, int kind, byte[] payload) {
        if (payload.length > maximumPayloadBytes || kind < 0 || kind > LAST_KIND || lane < 0 || lane > dataLanes) {
            throw new IllegalArgumentException("the payload is too large, or there is no such kind or lane");
        }
        return send(to, lane, new Frame(kind, payload));
    }

    /** Returns whether the frame is accepted. */
    protected abstract boolean send(Incarnation to, int lane, Frame frame);

    @Override
    public final void receive(int firstKind, int lastKind, FrameReceiver receiver) {
        for (int kind = firstKind; kind <= lastKind; kind++) {
            if (receivers.putIfAbsent(kind, receiver) != null) {
                throw new IllegalArgumentException("frames of kind " + kind + " have a receiver already");
            }
        }
    }

    protected final @Nullable FrameReceiver receiver(Frame frame) {
        return receivers.get(frame.kind);
    }

    @Override
    public final void watch(LinkListener listener) {
        listeners.add(listener);
    }

    protected final void tell(Consumer<LinkListener> event) {
        listeners.forEach(event);
    }
}

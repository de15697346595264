package io.heddle.core.simulation.link;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.FrameReceiver;
import io.heddle.core.link.LinkListener;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.SimLoop;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import io.heddle.core.testkit.FakeNodeLinks;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The links of one process. Confined to the events of the process. */
public final class SimNodeLinks extends FakeNodeLinks {
    /** Of frames with messages for clients of the receiver. */
    private static final int PUSHES_KIND = 0x20;
    /** Of frames that tell that the position of a bucket's queues is known. */
    private static final int POSITIONED_KIND = 0x22;

    private final SimLinks network;
    private final SimProcess process;
    private final String host;
    private final List<SimLoop> loops;
    private final Map<Incarnation, SimLink> links = new TreeMap<>();
    private @Nullable Incarnation self;

    SimNodeLinks(SimLinks network, SimProcess process, String host, List<SimLoop> loops) {
        super(network.bounds().dataLanes(), network.bounds().maximumPayloadBytes());
        this.network = network;
        this.process = process;
        this.host = host;
        this.loops = List.copyOf(loops);
    }

    /** The process has joined. Before the first call of {@link #onMembers}. */
    public void joined(Incarnation incarnation) {
        self = incarnation;
        network.add(incarnation, this);
    }

    /**
     * The process has read the log of nodes further.
     *
     * @param others all members except this one
     */
    public void onMembers(Collection<Incarnation> others) {
        for (Incarnation known : List.copyOf(links.keySet())) {
            if (!others.contains(known)) {
                SimLink ended = links.remove(known);
                if (ended != null) {
                    ended.end();
                    tellOnLoop(listener -> listener.onEnded(known));
                }
            }
        }
        for (Incarnation other : others) {
            if (!links.containsKey(other)) {
                SimLink link = new SimLink(network, this, other);
                links.put(other, link);
                link.open();
            }
        }
    }

    /** The machine of the process dies: frames that have not arrived are lost. */
    public void loseFrames() {
        links.values().forEach(SimLink::loseFrames);
    }

    void tellOnLoop(Consumer<LinkListener> event) {
        loops.getFirst().execute(() -> tell(event));
    }

    Incarnation self() {
        if (self == null) {
            throw new IllegalStateException(process + " has not joined");
        }
        return self;
    }

    SimProcess process() {
        return process;
    }

    String host() {
        return host;
    }

    /** Returns whether a thread that serves connections stands still. */
    boolean isStuck() {
        return loops.stream().anyMatch(SimLoop::isStuck);
    }

    SimLoop loop(int lane) {
        return loops.get(lane % loops.size());
    }

    /** Sends the frames again that were lost on the open connections between two hosts. */
    void resume(String one, String other) {
        links.forEach((member, link) -> {
            SimNodeLinks to = network.find(member);
            if (to != null && Set.of(one, other).equals(Set.copyOf(List.of(host, to.host)))) {
                link.resume();
            }
        });
    }

    @Nullable
    SimLink link(Incarnation member) {
        return links.get(member);
    }

    /** A frame has arrived. */
    void take(Incarnation from, int lane, Frame frame) {
        FrameReceiver receiver = receiver(frame);
        if (receiver == null) {
            return;
        }
        network.world().runAs(loop(lane), () -> {
            try {
                receiver.onFrame(from, lane, frame.kind(), frame.payload());
            } catch (RuntimeException fault) {
                network.onFault(fault);
            }
        });
    }

    World world() {
        return network.world();
    }

    @Override
    protected boolean send(Incarnation to, int lane, Frame frame) {
        if (frame.kind() == POSITIONED_KIND && world().has(Mistake.POSITION_NOT_TOLD)) {
            return true;
        }
        SimLink link = links.get(to);
        boolean sent = link != null && link.send(lane, frame);
        if (sent && frame.kind() == PUSHES_KIND) {
            network.onPush(this);
        }
        return sent;
    }

    @Override
    public boolean hasRoomFor(Incarnation to, int lane, int bytes) {
        SimLink link = links.get(to);
        return link != null && link.hasRoomFor(lane, bytes);
    }

    @Override
    public boolean isUp(Incarnation member) {
        SimLink link = links.get(member);
        return link != null && link.isUp();
    }

    @Override
    public long silentNanos(Incarnation member) {
        SimLink link = links.get(member);
        return link == null ? 0 : link.silentNanos();
    }
}

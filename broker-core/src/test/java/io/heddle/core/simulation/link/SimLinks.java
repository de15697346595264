package io.heddle.core.simulation.link;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.simulation.SimLoop;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The network between the processes of a run. A cut loses the packets in one direction; connections that break are opened again as soon as
 * the packets of both directions pass. The frames of a frozen process wait for it.
 */
public final class SimLinks {
    private final World world;
    private final Bounds bounds;
    private final Consumer<RuntimeException> onFault;
    private final Map<Incarnation, SimNodeLinks> nodes = new TreeMap<>();
    private final Set<Direction> cuts = new HashSet<>();
    private @Nullable Consumer<SimProcess> atNextPush;

    private record Direction(Incarnation from, Incarnation to) {}

    /**
     * The bounds of each node.
     *
     * @param maximumUnacknowledgedBytes to each member, of control frames and of data
     */
    public record Bounds(int dataLanes, int maximumPayloadBytes, long maximumUnacknowledgedBytes) {}

    /** @param onFault receives the exceptions of receivers */
    public SimLinks(World world, Bounds bounds, Consumer<RuntimeException> onFault) {
        this.world = world;
        this.bounds = bounds;
        this.onFault = onFault;
    }

    /**
     * Returns the links of a process, which knows no member before its first view.
     *
     * @param loops of the process, on which frames arrive
     */
    public SimNodeLinks open(SimProcess process, List<SimLoop> loops) {
        return new SimNodeLinks(this, process, loops);
    }

    void add(Incarnation incarnation, SimNodeLinks node) {
        nodes.put(incarnation, node);
    }

    World world() {
        return world;
    }

    Bounds bounds() {
        return bounds;
    }

    void onFault(RuntimeException fault) {
        onFault.accept(fault);
    }

    @Nullable
    SimNodeLinks find(Incarnation incarnation) {
        return nodes.get(incarnation);
    }

    /** Returns whether packets of a node reach another one. */
    boolean passes(Incarnation from, Incarnation to) {
        return !cuts.contains(new Direction(from, to));
    }

    void onPush(SimNodeLinks from) {
        Consumer<SimProcess> task = atNextPush;
        if (task != null) {
            atNextPush = null;
            world.after(world.environment(), 0, () -> {
                from.loseFrames();
                task.accept(from.process());
            });
        }
    }

    // Faults.

    /** When a process sends messages to clients of another one within a second, loses them and runs a task with the sender. */
    public void loseNextPush(Consumer<SimProcess> task) {
        atNextPush = task;
        world.after(world.environment(), 1_000_000, () -> atNextPush = null);
    }

    /** Loses all packets from a node to another one, until {@link #heal}. */
    public void cut(Incarnation from, Incarnation to) {
        world.trace(() -> "links: " + from + " no longer reaches " + to);
        cuts.add(new Direction(from, to));
    }

    /** Ends a {@link #cut}. */
    public void heal(Incarnation from, Incarnation to) {
        if (cuts.remove(new Direction(from, to))) {
            world.trace(() -> "links: " + from + " reaches " + to + " again");
            resume(from, to);
            resume(to, from);
        }
    }

    private void resume(Incarnation from, Incarnation to) {
        SimNodeLinks node = nodes.get(from);
        SimLink link = node == null ? null : node.link(to);
        if (link != null) {
            link.resume();
        }
    }

    /** Ends all cuts. */
    public void healAll() {
        List.copyOf(cuts).forEach(cut -> heal(cut.from, cut.to));
    }

    /** Breaks the connections from a node to another one, with all that is on its way. They are opened again. */
    public void reset(Incarnation from, Incarnation to) {
        SimNodeLinks node = nodes.get(from);
        SimLink link = node == null ? null : node.link(to);
        if (link != null) {
            world.trace(() -> "links: the connections from " + from + " to " + to + " break");
            link.reset();
        }
    }
}

package io.heddle.core.simulation.link;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.simulation.SimLoop;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The network between the processes of a run. A cut loses the packets from one host to another one; connections that break are opened again
 * as soon as the packets of both directions pass. A blocked port loses what belongs to the connections that one host has opened to another
 * one. The frames of a frozen process wait for it.
 */
public final class SimLinks {
    private final World world;
    private final Bounds bounds;
    private final Consumer<RuntimeException> onFault;
    private final Map<Incarnation, SimNodeLinks> nodes = new TreeMap<>();
    // With the numbers of their causes.
    private final Map<Direction, Integer> faults = new HashMap<>();
    private @Nullable Consumer<SimProcess> atNextPush;

    private record Direction(String from, String to, boolean isPort) {}

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
     * @param host of the process
     * @param loops of the process, on which frames arrive
     */
    public SimNodeLinks open(SimProcess process, String host, List<SimLoop> loops) {
        return new SimNodeLinks(this, process, host, loops);
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

    /** Returns whether frames of a link reach the other end. */
    boolean carriesFrames(SimNodeLinks from, SimNodeLinks to) {
        return !faults.containsKey(new Direction(from.host(), to.host(), false)) && isOpen(from, to);
    }

    /** Returns whether the acknowledgements of frames reach their sender. */
    boolean carriesAnswers(SimNodeLinks from, SimNodeLinks to) {
        return !faults.containsKey(new Direction(to.host(), from.host(), false)) && isOpen(from, to);
    }

    private boolean isOpen(SimNodeLinks from, SimNodeLinks to) {
        return !faults.containsKey(new Direction(from.host(), to.host(), true));
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

    /** Loses all packets from a host to another one, until {@link #heal}. */
    public void cut(String from, String to) {
        world.trace(() -> "links: " + from + " no longer reaches " + to);
        faults.merge(new Direction(from, to, false), 1, Integer::sum);
    }

    /** Ends a {@link #cut}. */
    public void heal(String from, String to) {
        end(new Direction(from, to, false));
    }

    /** Loses what belongs to the connections that a host has opened to another one, until {@link #unblock}. */
    public void block(String from, String to) {
        world.trace(() -> "links: the connections from " + from + " to " + to + " carry nothing");
        faults.merge(new Direction(from, to, true), 1, Integer::sum);
    }

    /** Ends a {@link #block}. */
    public void unblock(String from, String to) {
        end(new Direction(from, to, true));
    }

    private void end(Direction ended) {
        Integer causes = faults.computeIfPresent(ended, (_, number) -> number - 1);
        if (causes != null && causes == 0) {
            faults.remove(ended);
            world.trace(() -> "links: " + ended + " has ended");
            nodes.values().forEach(node -> node.resume(ended.from, ended.to));
        }
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

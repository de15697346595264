package io.heddle.core.simulation;

import io.heddle.core.simulation.client.Interruptions;
import io.heddle.core.simulation.client.Interruptions.Interruption;
import io.heddle.core.simulation.link.SimLinks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The faults of the links between the nodes. Checks that a broken link costs one node at most, which comes back when the link is mended. */
final class LinkFaults {
    private static final long LEASE_MICROS = SimNode.LEASE.toNanos() / 1_000;
    /** A link that is broken for less than this time costs no node: the limit less two probes, and the heartbeats that name it. */
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(480 - 160 + 3 * 50);

    /** For which a link may not work when it is mended. */
    private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** The time for which a mended link may still cost a node. */
    private static final long REACTION_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long FLAP_MICROS = 300_000;
    private static final long FOREVER_MICROS = TimeUnit.HOURS.toMicros(1);

    private final World world;
    private final SimLinks links;
    private final Interruptions interruptions;
    private final List<Break> breaks = new ArrayList<>();
    // The ends of the faults that last.
    private final Set<Runnable> pending = new LinkedHashSet<>();
    private final Map<SimProcess, Long> servingSince = new HashMap<>();
    private int flaps;

    /** A link that is broken, in one direction or both, until all its causes have ended. */
    private static final class Break {
        private final String one;
        private final String other;
        private final long firstNanos;
        // Since its last moment without a cause.
        private long begunNanos;
        private long endedNanos = Long.MAX_VALUE;
        private int causes;
        private boolean hasCostANode;

        private Break(String one, String other, long nanos) {
            this.one = one;
            this.other = other;
            this.firstNanos = nanos;
            this.begunNanos = nanos;
        }

        private void begin(long nanos) {
            begunNanos = causes == 0 ? nanos : begunNanos;
            endedNanos = Long.MAX_VALUE;
            causes++;
        }

        private void end(long nanos) {
            causes--;
            endedNanos = causes == 0 ? nanos : endedNanos;
        }

        private boolean isOf(SimNode node) {
            return one.equals(node.host()) || other.equals(node.host());
        }

        private boolean isBetween(SimNode node, SimNode peer) {
            return isOf(node) && isOf(peer);
        }

        private boolean hasLastedUntil(long nanos) {
            return endedNanos >= nanos;
        }

        private boolean isOpenSince(long nanos) {
            return causes > 0 && begunNanos <= nanos;
        }

        private boolean isLong(long nanos) {
            return Math.min(endedNanos, nanos) - firstNanos >= SHORTEST_NANOS;
        }
    }

    LinkFaults(World world, SimLinks links, Interruptions interruptions) {
        this.world = world;
        this.links = links;
        this.interruptions = interruptions;
    }

    void strike(Fault fault, List<SimNode> living) {
        if (living.size() < 2) {
            return;
        }
        List<SimNode> nodes = new ArrayList<>(living);
        for (int i = nodes.size() - 1; i > 0; i--) {
            nodes.add(nodes.remove(world.random().nextInt(i + 1)));
        }
        SimNode one = nodes.get(0);
        SimNode other = nodes.get(1);
        long micros = FaultPlan.outage(world);
        switch (fault) {
            case LINK_BROKEN -> links.reset(one.me(), other.me());
            case LINK_CUT -> cut(one, other, world.random().nextBoolean(), micros);
            case LINK_ONE_WAY -> block(one, other, world.random().nextLong(LEASE_MICROS / 2, 6 * LEASE_MICROS));
            case LINK_FLAP -> {
                flaps = world.random().nextInt(2, 12);
                flap(one, other);
            }
            case LINK_HALVES -> {
                int half = world.random().nextInt(1, nodes.size());
                cutAll(nodes.subList(0, half), nodes.subList(half, nodes.size()), micros);
            }
            case LINKS_ALL -> cutAll(nodes, nodes, micros);
            case STUCK_LOOP -> standStill(one, nodes, world.random().nextLong(1_000, 3 * LEASE_MICROS));
            default -> throw new IllegalArgumentException(fault + " is no fault of links");
        }
    }

    private void cut(SimNode one, SimNode other, boolean both, long micros) {
        links.cut(one.host(), other.host());
        if (both) {
            links.cut(other.host(), one.host());
        }
        breakLink(one, other, micros, () -> {
            links.heal(one.host(), other.host());
            if (both) {
                links.heal(other.host(), one.host());
            }
        });
    }

    private void block(SimNode one, SimNode other, long micros) {
        links.block(one.host(), other.host());
        breakLink(one, other, micros, () -> links.unblock(one.host(), other.host()));
    }

    private void flap(SimNode one, SimNode other) {
        if (flaps > 0) {
            flaps--;
            long micros = world.random().nextLong(1_000, FLAP_MICROS);
            long pause = world.random().nextLong(1_000, FLAP_MICROS);
            cut(one, other, true, micros);
            world.after(world.environment(), micros + pause, () -> flap(one, other));
        }
    }

    private void standStill(SimNode node, List<SimNode> nodes, long micros) {
        world.trace(() -> "an event loop of " + node.process() + " stands still for " + micros / 1_000 + " ms");
        node.loops().get(world.random().nextInt(node.loops().size())).standStill(micros);
        nodes.stream()
                .filter(peer -> !peer.equals(node))
                .forEach(peer -> world.after(world.environment(), micros, begin(node, peer)));
    }

    /** Until {@link #heal}, all links break, or those of the first node. Returns a check that one node is left, or all but that one. */
    Runnable breakAll(List<SimNode> nodes, Supplier<List<SimNode>> serving) {
        nodes.forEach(SimNode::disarm);
        SimNode alone = nodes.getFirst();
        boolean all = world.random().nextBoolean();
        cutAll(all ? nodes : List.of(alone), nodes, FOREVER_MICROS);
        return () -> {
            List<SimNode> left = serving.get().stream().filter(nodes::contains).toList();
            int expected = all || nodes.size() == 1 ? 1 : nodes.size() - 1;
            if (left.size() != expected || (!all && nodes.size() > 2 && left.contains(alone))) {
                throw new SimulationFailure(
                        "with broken links of " + (all ? nodes : alone) + ", of " + nodes + " there are " + left);
            }
        };
    }

    private void cutAll(List<SimNode> some, List<SimNode> others, long micros) {
        for (SimNode one : some) {
            for (SimNode other : others) {
                if (!one.equals(other)) {
                    cut(one, other, true, micros);
                }
            }
        }
    }

    private void breakLink(SimNode one, SimNode other, long micros, Runnable mend) {
        Runnable ended = begin(one, other);
        Runnable end = () -> {
            mend.run();
            ended.run();
        };
        pending.add(end);
        world.after(world.environment(), micros, () -> {
            if (pending.remove(end)) {
                end.run();
            }
        });
    }

    /** A link does not work from now on. Returns what to run when it is mended. */
    private Runnable begin(SimNode one, SimNode other) {
        Interruption interruption = interruptions.begin(one.process(), other.process());
        Break broken = find(one, other);
        broken.begin(world.nanoTime());
        return () -> {
            broken.end(world.nanoTime());
            interruptions.end(interruption);
        };
    }

    /** A link that was mended a moment ago may not have worked meanwhile. */
    private Break find(SimNode one, SimNode other) {
        for (Break known : breaks) {
            if (known.isBetween(one, other) && known.hasLastedUntil(world.nanoTime() - RECONNECT_NANOS)) {
                return known;
            }
        }
        Break found = new Break(one.host(), other.host(), world.nanoTime());
        breaks.add(found);
        return found;
    }

    /** Mends all links. */
    void heal() {
        flaps = 0;
        List<Runnable> ends = List.copyOf(pending);
        pending.clear();
        ends.forEach(Runnable::run);
    }

    // Checks.

    /**
     * A node must leave.
     *
     * @param serving the nodes that serve as of the record
     * @param isExcused whether Kafka was slow, so that frozen nodes may be taken for unreachable ones
     */
    void onCondemned(SimNode node, List<SimNode> serving, boolean isExcused) {
        long now = world.nanoTime();
        List<Break> own = breaks.stream().filter(each -> each.isOf(node)).toList();
        boolean isDue = own.stream()
                .anyMatch(each -> !each.hasCostANode && each.hasLastedUntil(now - REACTION_NANOS) && each.isLong(now));
        own.forEach(each -> each.hasCostANode = true);
        if (!isDue && !isExcused && node.isAlive() && !node.process().isFrozen()) {
            throw new SimulationFailure(
                    node.process() + " must leave although none of its links is broken that has cost no node yet");
        }
        if (serving.isEmpty()) {
            throw new SimulationFailure("no node remains when " + node.process() + " must leave");
        }
    }

    /** A node serves: its links to the nodes that served when it started are not broken since then. */
    void onServing(SimNode node, List<SimNode> serving) {
        for (SimNode other : serving) {
            boolean hasServed = servingSince.getOrDefault(other.process(), Long.MAX_VALUE) < node.startedNanos();
            if (hasServed
                    && breaks.stream()
                            .anyMatch(each -> each.isBetween(node, other) && each.isOpenSince(node.startedNanos()))) {
                throw new SimulationFailure(node.process() + " serves without a link to " + other.process());
            }
        }
        servingSince.put(node.process(), world.nanoTime());
    }
}

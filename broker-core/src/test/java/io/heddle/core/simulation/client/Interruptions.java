package io.heddle.core.simulation.client;

import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import java.util.ArrayList;
import java.util.List;

/** The times in which two nodes cannot reach each other. A CONNECT does not wait for a will that only a node out of reach can publish. */
public final class Interruptions {
    /** Until the nodes have sent each other what waited. */
    private static final long RECOVERY_MICROS = 1_000_000;

    private final World world;
    private final List<Interruption> all = new ArrayList<>();

    /** One of them, from {@link #begin} until some time after {@link #end}. */
    public static final class Interruption {
        private final SimProcess one;
        private final SimProcess other;
        private long ended = Ledger.NEVER;

        private Interruption(SimProcess one, SimProcess other) {
            this.one = one;
            this.other = other;
        }
    }

    public Interruptions(World world) {
        this.world = world;
    }

    public Interruption begin(SimProcess one, SimProcess other) {
        Interruption begun = new Interruption(one, other);
        all.add(begun);
        return begun;
    }

    public void end(Interruption interruption) {
        world.after(world.environment(), RECOVERY_MICROS, () -> interruption.ended = world.steps());
    }

    /** Returns whether another node could not reach this one at some time since a step. */
    boolean concern(SimProcess node, long since) {
        return all.stream().anyMatch(each -> (each.one.equals(node) || each.other.equals(node)) && each.ended >= since);
    }
}

package io.heddle.core.simulation.client;

import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import io.heddle.core.simulation.client.Ledger.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The times in which two nodes cannot reach each other. A message that one of them accepts meanwhile may come late to clients of the other: at
 * QoS 0, or if their sessions end with their connections. It may not come at all if they unsubscribe first, or if the node that has
 * acknowledged it ends before the nodes have reached each other again.
 */
public final class Interruptions {
    /** Until the nodes no longer suspect each other, and have sent each other what waited. */
    private static final long RECOVERY_MICROS = 1_000_000;

    private final World world;
    private final List<Interruption> all = new ArrayList<>();

    /** One of them, from {@link #begin} until some time after {@link #end}. */
    public static final class Interruption {
        private final SimProcess one;
        private final SimProcess other;
        private final long begun;
        private long ended = Ledger.NEVER;
        private boolean hasEndedNode;

        private Interruption(SimProcess one, SimProcess other, long begun) {
            this.one = one;
            this.other = other;
            this.begun = begun;
        }

        private boolean concernsAny(Set<SimProcess> sending, SimProcess receiving) {
            return sending.stream().anyMatch(each -> concerns(each, receiving));
        }

        private boolean concerns(SimProcess sending, SimProcess receiving) {
            return (one.equals(sending) && other.equals(receiving)) || (one.equals(receiving) && other.equals(sending));
        }

        private boolean overlaps(Sent sent) {
            return begun <= sent.acknowledged && ended >= sent.sent;
        }

        private boolean hasEndedNode() {
            return hasEndedNode || (ended == Ledger.NEVER && (one.isDead() || other.isDead()));
        }
    }

    public Interruptions(World world) {
        this.world = world;
    }

    public Interruption begin(SimProcess one, SimProcess other) {
        Interruption begun = new Interruption(one, other, world.steps());
        all.add(begun);
        return begun;
    }

    public void end(Interruption interruption) {
        world.after(world.environment(), RECOVERY_MICROS, () -> {
            interruption.hasEndedNode = interruption.one.isDead() || interruption.other.isDead();
            interruption.ended = world.steps();
        });
    }

    /** Returns whether another node could not reach this one at some time since a step. */
    boolean concern(SimProcess node, long since) {
        return all.stream().anyMatch(each -> (each.one.equals(node) || each.other.equals(node)) && each.ended >= since);
    }

    /** Returns whether a message may come late. */
    boolean mayDelay(Sent sent, SimProcess receiving) {
        return all.stream().anyMatch(each -> each.concernsAny(sent.sentTo, receiving) && each.overlaps(sent));
    }

    /** @param unsubscribed when the session no longer wanted the message */
    boolean mayLose(Sent sent, SimProcess receiving, long unsubscribed) {
        SimProcess acknowledging = sent.acknowledgedBy;
        return all.stream()
                .filter(each -> each.overlaps(sent))
                .anyMatch(each -> (unsubscribed < each.ended && each.concernsAny(sent.sentTo, receiving))
                        || (each.hasEndedNode() && acknowledging != null && each.concerns(acknowledging, receiving)));
    }
}

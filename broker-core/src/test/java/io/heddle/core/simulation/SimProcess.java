package io.heddle.core.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * A process that the faults kill or freeze: its events wait while it is frozen and are dropped once it is dead. States: running ⇄ frozen →
 * dead, from either.
 */
public final class SimProcess {
    private final String name;
    private State state = State.RUNNING;
    // The events that became due while the process was frozen, in order.
    private final List<World.Event> parked = new ArrayList<>();

    private enum State {
        RUNNING,
        FROZEN,
        DEAD
    }

    public SimProcess(String name) {
        this.name = name;
    }

    public boolean isDead() {
        return state == State.DEAD;
    }

    public boolean isFrozen() {
        return state == State.FROZEN;
    }

    /** Ends the process without notice, like {@code kill -9}. */
    public void kill() {
        state = State.DEAD;
        parked.clear();
    }

    /** Stops the process, like SIGSTOP. */
    public void freeze() {
        if (state == State.RUNNING) {
            state = State.FROZEN;
        }
    }

    /** Continues a frozen process; the events that it missed follow at once, in order. */
    public void thaw(World world) {
        if (state == State.FROZEN) {
            state = State.RUNNING;
            world.resume(parked);
            parked.clear();
        }
    }

    void park(World.Event event) {
        parked.add(event);
    }

    @Override
    public String toString() {
        return name;
    }
}

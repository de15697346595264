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
    private long frozenNanos;
    private boolean clockStops;
    // For how long its clock has stood still.
    private long stoppedNanos;
    private long continuedNanos = Long.MIN_VALUE / 2;
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

    /** Stops the process, like SIGSTOP; with its monotonic clock, if the machine stands still. */
    public void freeze(World world, boolean stopsClock) {
        if (state == State.RUNNING) {
            state = State.FROZEN;
            frozenNanos = world.nanoTime();
            clockStops = stopsClock;
        }
    }

    /** The monotonic clock of the process. */
    public long nanoTime(World world) {
        return world.nanoTime() - stoppedNanos;
    }

    /** Continues a frozen process; the events that it missed follow at once, in order. */
    public void thaw(World world) {
        if (state == State.FROZEN) {
            state = State.RUNNING;
            if (clockStops) {
                continuedNanos = world.nanoTime();
                stoppedNanos += continuedNanos - frozenNanos;
            }
            world.resume(parked);
            parked.clear();
        }
    }

    /** Returns whether its clock has stood still so short a time ago that it may take an ended lease for a valid one. */
    public boolean mayMistakeItsLease(World world) {
        return world.nanoTime() - continuedNanos < SimNode.LEASE.toNanos();
    }

    void park(World.Event event) {
        parked.add(event);
    }

    @Override
    public String toString() {
        return name;
    }
}

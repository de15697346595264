package io.heddle.persistence.kafka;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeLife;
import java.util.random.RandomGenerator;

/** The life of a node that a test ends. Any thread. */
public final class TestLife implements NodeLife {
    private final Incarnation incarnation =
            new Incarnation(0, RandomGenerator.getDefault().nextInt());
    private volatile boolean declaredDead;
    private volatile int confirmations;
    // Guarded by this.
    private boolean held;

    /** Lets the log of nodes say that this node is dead; the node has not read so yet. */
    public void declareDead() {
        declaredDead = true;
    }

    /** Delays the answers of {@link #isConfirmed}, as if the node were frozen after it has read the log of nodes. */
    public synchronized void hold() {
        held = true;
    }

    /** Returns the delayed answers. */
    public synchronized void release() {
        held = false;
        notifyAll();
    }

    /** Returns how often the node has asked. */
    public int confirmations() {
        return confirmations;
    }

    @Override
    public Incarnation incarnation() {
        return incarnation;
    }

    @Override
    public boolean isOver() {
        return false;
    }

    @Override
    public synchronized boolean isConfirmed() throws InterruptedException {
        confirmations++;
        boolean isAlive = !declaredDead;
        while (held) {
            wait();
        }
        return isAlive;
    }
}

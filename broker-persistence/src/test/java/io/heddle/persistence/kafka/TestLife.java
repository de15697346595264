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

    /** Lets the log of nodes say that this node is dead; the node has not read so yet. */
    public void declareDead() {
        declaredDead = true;
    }

    /** Returns how often a producer has asked. */
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
    public synchronized boolean isConfirmed() {
        confirmations++;
        return !declaredDead;
    }
}

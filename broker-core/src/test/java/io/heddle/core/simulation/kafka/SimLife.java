package io.heddle.core.simulation.kafka;

/** The membership of one process. */
@FunctionalInterface
public interface SimLife {
    /** Reads the log of nodes to its end, and continues or ends the process. */
    void confirm(Runnable alive);
}

package io.heddle.core.simulation;

import org.jspecify.annotations.Nullable;

/** The stores and processes of one run, and what the faults do to them. */
interface Cluster {
    /** Starts the first processes. */
    void start();

    /** A process that accepts connections, or null. */
    @Nullable
    SimEntry entry();

    void strike(Fault fault);

    /** No further fault begins; ends those that last. */
    void heal();

    /** Returns the payload of the last retained message of a topic in Kafka, or null. */
    @Nullable
    String retained(String topic);

    /** Returns whether all processes have done what they must do when nothing happens. */
    boolean isSettled();

    /** Checks the processes at the end of the run, when no client does anything. */
    void check();

    /** Kills the process that serves, or one of them, and starts another one. */
    void restart();
}

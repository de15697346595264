package io.heddle.core.client;

/** Long-running work of an event loop, split into steps of at most about 0.1 ms. */
@FunctionalInterface
public interface BackgroundWork {
    /** Runs one step and returns whether another one follows. Called on the event loop. */
    boolean step();
}

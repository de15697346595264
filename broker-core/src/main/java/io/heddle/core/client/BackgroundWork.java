package io.heddle.core.client;

/** Work of an event loop that may take long, in steps of at most about a tenth of a millisecond each. */
@FunctionalInterface
public interface BackgroundWork {
    /** Does one step and returns whether there is another one. Called on the event loop. */
    boolean step();
}

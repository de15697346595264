package io.heddle.core.lifecycle;

import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/** A part of the broker that starts after the preceding phases and stops before them. Both methods may block. */
public interface StartupPhase {
    /** Marks a log line that explains to the operator why a start takes long. The terminal shows it during the start, too. */
    Marker WAITING = MarkerFactory.getMarker("WAITING");

    /** Returns a phase that only starts. */
    static StartupPhase of(String name, Runnable start) {
        return new StartupPhase() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void start() {
                start.run();
            }
        };
    }

    /** Returns the name for the log. */
    String name();

    /**
     * Starts the phase; once this returns, later phases may rely on it.
     *
     * @throws StartupException if the operator must fix something first
     */
    void start();

    /** Stops the phase within a bounded time. Called only after {@link #start} has returned. Does nothing unless overridden. */
    default void stop() {}
}

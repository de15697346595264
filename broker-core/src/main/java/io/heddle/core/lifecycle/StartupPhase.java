package io.heddle.core.lifecycle;

/** A part of the broker that starts after those before it and stops before them. Both may block. */
public interface StartupPhase {
    /** What is started, for the log. */
    String name();

    /**
     * Starts it; when this returns, the next phases may rely on it.
     *
     * @throws StartupException when the operator has to do something first
     */
    void start();

    /** Stops it. Called only after {@link #start} returned; bounded in time. */
    void stop();
}

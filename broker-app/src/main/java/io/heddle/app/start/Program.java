package io.heddle.app.start;

import java.time.Duration;

/** What this process runs: a broker, or several nodes as processes of their own. */
public sealed interface Program permits BrokerLifecycle, LocalCluster {
    /**
     * Starts and returns when everything is ready.
     *
     * @throws RuntimeException if it cannot start; all that was started is stopped
     */
    void run(String... arguments);

    /** Stops and returns when everything has stopped. May be called several times and by any thread, also during the start. */
    void stop();

    /** Returns the time that the drain of this node, or the stop of other processes, may take before the stop of this process begins. */
    Duration timeBeforeStop();

    /** Returns whether a stop was requested, so that a failed start needs no error message. */
    boolean isStopRequested();

    /** Returns the exit status of a process whose start has failed, whose node is over, or that does not stop in time. */
    int exitStatus();
}

package io.heddle.standalone.process;

import java.io.IOException;
import java.time.Duration;

/** The server-specific part of a child process: its files, its command, and its readiness probe. */
public interface ServerProcess {
    /** The base name of the process's files, such as {@code kafka-0}. Unique in a data directory. */
    String name();

    String displayName();

    /** Writes the settings and initializes missing data. Called before each start. */
    GuardedProcess.Launch prepare() throws IOException, InterruptedException;

    /** Probes the server in its own protocol. False while it does not answer or is not ready. */
    boolean isReady(Duration timeout);

    /** Returns whether the server is reachable but rejects all writes after a failed one. */
    default boolean rejectsWrites(Duration timeout) {
        return false;
    }
}

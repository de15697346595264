package io.heddle.core.cluster;

/** Knows for certain of some processes that they have ended, long before their leases are over. Thread-safe. */
@FunctionalInterface
public interface ProcessEvidence {
    /**
     * Returns whether a process has ended. Does not block for long.
     *
     * @param process a name from a {@link NodeDescription}
     * @return false also if nothing is known of the process
     */
    boolean hasEnded(String process);
}

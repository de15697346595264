package io.heddle.app.start;

import io.heddle.core.lifecycle.StartupException;

/** Rejects a heap in which a broker cannot start, before Java ends the process with an error of its own. */
public final class HeapCheck {
    private static final long MEGABYTE = 1 << 20;

    /** A broker without clients takes two thirds of it. */
    static final long MINIMUM_MEGABYTES = 64;

    /** Some garbage collectors do not count a part of the heap that they keep free. */
    private static final double USABLE = 0.9;

    private HeapCheck() {}

    /**
     * @param maximumBytes the maximum of this JVM, see {@link Runtime#maxMemory}
     * @throws StartupException if it is too small
     */
    public static void require(long maximumBytes) {
        if (maximumBytes < USABLE * MINIMUM_MEGABYTES * MEGABYTE) {
            throw new StartupException(
                    "Java may use only " + maximumBytes / MEGABYTE + " MB of heap, and a broker needs "
                            + MINIMUM_MEGABYTES
                            + " MB or more: raise -Xmx or -XX:MaxRAMPercentage in HEDDLE_JAVA_OPTS, or the memory of the"
                            + " machine or container, or start fewer nodes",
                    null);
        }
    }
}

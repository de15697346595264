package io.heddle.standalone.process;

import io.heddle.standalone.directory.DiskSpace;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects a running server that refuses writes although the disk has space. Redis can stay in this state after a full disk until it is
 * restarted. Owned by the child's supervising thread.
 */
final class WriteRefusalDetector {
    /** Consecutive refusals before a restart. A server that recovers without a restart needs about a second. */
    static final int MAXIMUM_REFUSALS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(WriteRefusalDetector.class);

    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final String name;
    private final BooleanSupplier refuses;
    private final DiskSpace disk;
    private int refusals;

    /**
     * No refusal yet.
     *
     * @param name the server's name for the log
     * @param refuses probes the server
     */
    WriteRefusalDetector(String name, BooleanSupplier refuses, DiskSpace disk) {
        this.name = name;
        this.refuses = refuses;
        this.disk = disk;
    }

    /** Waits until a ready process exits, and stops it if it keeps refusing writes. Returns the exit status. */
    int watch(GuardedProcess process, BooleanSupplier wanted) throws IOException, InterruptedException {
        Integer status = process.waitFor(PAUSE);
        while (status == null) {
            if (wanted.getAsBoolean() && probe()) {
                LOG.warn("{} refuses writes although the disk has space; restarting it", name);
                process.requestStop();
            }
            status = process.waitFor(PAUSE);
        }
        return status;
    }

    /** Probes the server once. Returns whether it must be restarted. */
    boolean probe() {
        refusals = refuses.getAsBoolean() && !disk.isFull() ? refusals + 1 : 0;
        if (refusals < MAXIMUM_REFUSALS) {
            return false;
        }
        refusals = 0;
        return true;
    }
}

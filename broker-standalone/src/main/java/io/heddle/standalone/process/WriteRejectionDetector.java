package io.heddle.standalone.process;

import io.heddle.standalone.directory.DiskSpace;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects a running server that rejects writes although the disk has space. Redis can stay in this state after a full disk until it is
 * restarted. Owned by the child's supervising thread.
 */
final class WriteRejectionDetector {
    /** Consecutive rejections before a restart. A server that recovers without a restart needs about a second. */
    static final int MAXIMUM_REJECTIONS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(WriteRejectionDetector.class);

    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final String name;
    private final BooleanSupplier rejects;
    private final DiskSpace disk;
    private int rejections;

    /**
     * No rejection yet.
     *
     * @param name the server's name for the log
     * @param rejects probes the server
     */
    WriteRejectionDetector(String name, BooleanSupplier rejects, DiskSpace disk) {
        this.name = name;
        this.rejects = rejects;
        this.disk = disk;
    }

    /** Waits until a ready process exits, and stops it if it keeps rejecting writes. Returns the exit status. */
    int watch(GuardedProcess process, BooleanSupplier wanted) throws IOException, InterruptedException {
        Integer status = process.waitFor(PAUSE);
        while (status == null) {
            if (wanted.getAsBoolean() && probe()) {
                LOG.warn("{} rejects writes although the disk has space; restarting it", name);
                process.requestStop();
            }
            status = process.waitFor(PAUSE);
        }
        return status;
    }

    /** Probes the server once. Returns whether it must be restarted. */
    boolean probe() {
        rejections = rejects.getAsBoolean() && !disk.isFull() ? rejections + 1 : 0;
        if (rejections < MAXIMUM_REJECTIONS) {
            return false;
        }
        rejections = 0;
        return true;
    }
}

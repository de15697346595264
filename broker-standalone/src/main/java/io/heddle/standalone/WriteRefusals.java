package io.heddle.standalone;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a running server that refuses writes although the disk has room: one that keeps on refusing after a full disk is only cured
 * by a restart. Owned by the child's supervising thread.
 */
final class WriteRefusals {
    /** A server that recovers by itself takes about a second. */
    static final int LOOKS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(WriteRefusals.class);

    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final String name;
    private final BooleanSupplier refuses;
    private final DiskRoom room;
    private int refusals;

    /**
     * None yet.
     *
     * @param name of the server, for a person
     * @param refuses asks the server
     */
    WriteRefusals(String name, BooleanSupplier refuses, DiskRoom room) {
        this.name = name;
        this.refuses = refuses;
        this.room = room;
    }

    /** Waits for the end of a process that is ready, and stops one that keeps on refusing. The exit status. */
    int watch(GuardedProcess process, BooleanSupplier wanted) throws IOException, InterruptedException {
        Integer status = process.waitFor(PAUSE);
        while (status == null) {
            if (wanted.getAsBoolean() && needRestart()) {
                LOG.warn("{} refuses writes although the disk has room: restarting it", name);
                process.requestStop();
            }
            status = process.waitFor(PAUSE);
        }
        return status;
    }

    /** Counts a look at the server; says whether it is to be restarted. */
    boolean needRestart() {
        refusals = refuses.getAsBoolean() && !room.isFull() ? refusals + 1 : 0;
        if (refusals < LOOKS) {
            return false;
        }
        refusals = 0;
        return true;
    }
}

package io.heddle.standalone.process;

import io.heddle.standalone.directory.DiskSpace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Decides whether and when a child is restarted after an exit or a failing restart. The pause doubles with each exit in the last minute;
 * after the fifth exit the child is given up. While the disk is full, exits do not count and the child is restarted when there is free
 * space. Owned by the child's supervising thread.
 */
final class RestartPolicy {
    static final int MAXIMUM_EXITS = 5;
    static final Duration WINDOW = Duration.ofSeconds(60);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

    private final DiskSpace disk;
    private final Deque<Long> exits = new ArrayDeque<>(MAXIMUM_EXITS);

    /** The decision after an exit. */
    sealed interface Decision {
        /** Restart after a pause. */
        record Restart(Duration pause) implements Decision {}

        /** Restart when the disk has free space. */
        record AwaitDiskSpace() implements Decision {}

        /** Do not restart. */
        record GiveUp() implements Decision {}
    }

    RestartPolicy(DiskSpace disk) {
        this.disk = disk;
    }

    /**
     * @param nanos the current {@link System#nanoTime}
     * @param wasReady whether the child has ever been ready; only then is a full disk waited for
     */
    Decision afterExit(long nanos, boolean wasReady) {
        if (wasReady && disk.isFull()) {
            exits.clear();
            return new Decision.AwaitDiskSpace();
        }
        exits.addLast(nanos);
        Long oldest = exits.peekFirst();
        while (oldest != null && nanos - oldest > WINDOW.toNanos()) {
            exits.removeFirst();
            oldest = exits.peekFirst();
        }
        return exits.size() >= MAXIMUM_EXITS
                ? new Decision.GiveUp()
                : new Decision.Restart(FIRST_PAUSE.multipliedBy(1L << (exits.size() - 1)));
    }

    /**
     * @param exit the latest exit
     * @param log the server's log
     */
    static String giveUpMessage(String server, String exit, Path log) throws IOException {
        return server + " exited " + MAXIMUM_EXITS + " times within " + WINDOW.toSeconds() + " s; the last time it "
                + exit + "; it is not restarted: see its log " + log + ", which ends with: " + LogFile.lastLine(log);
    }
}

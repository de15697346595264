package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Decides whether and when a child that died, or could not be started again, is started again: after a pause that doubles with each
 * death in the last minute, and not at all after the fifth. While the disk is full deaths do not count: the child is started when
 * there is room again. Owned by the child's supervising thread.
 */
final class RestartPolicy {
    static final int MAXIMUM_DEATHS = 5;
    static final Duration WINDOW = Duration.ofSeconds(60);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

    private final DiskRoom room;
    private final Deque<Long> deaths = new ArrayDeque<>(MAXIMUM_DEATHS);

    /** The decision after a death. */
    sealed interface Decision {
        /** Start it again after a pause. */
        record Restart(Duration pause) implements Decision {}

        /** Start it again when the disk has room. */
        record AwaitRoom() implements Decision {}

        /** Do not start it again. */
        record GiveUp() implements Decision {}
    }

    RestartPolicy(DiskRoom room) {
        this.room = room;
    }

    /**
     * Counts a death.
     *
     * @param nanos now, on {@link System#nanoTime}'s scale
     * @param wasReady whether the child has ever answered; one that has not is not waited for
     */
    Decision afterDeath(long nanos, boolean wasReady) {
        if (wasReady && room.isFull()) {
            deaths.clear();
            return new Decision.AwaitRoom();
        }
        deaths.addLast(nanos);
        Long oldest = deaths.peekFirst();
        while (oldest != null && nanos - oldest > WINDOW.toNanos()) {
            deaths.removeFirst();
            oldest = deaths.peekFirst();
        }
        return deaths.size() >= MAXIMUM_DEATHS
                ? new Decision.GiveUp()
                : new Decision.Restart(FIRST_PAUSE.multipliedBy(1L << (deaths.size() - 1)));
    }

    /**
     * Why a server is given up, for a person.
     *
     * @param death what happened to it the last time
     * @param log its own
     */
    static String sentence(String server, String death, Path log) throws IOException {
        return server + " ended " + MAXIMUM_DEATHS + " times within " + WINDOW.toSeconds() + " s, the last time it "
                + death + ", and is not started again: see its log " + log + ", which ends with: "
                + LogFile.lastWords(log);
    }
}

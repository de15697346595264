package io.heddle.standalone;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * When a child that died is started again: after a pause that doubles with each death in the last minute, and not at
 * all after the fifth. Owned by the child's supervising thread.
 */
final class RestartPolicy {
    static final int MAXIMUM_DEATHS = 5;
    static final Duration WINDOW = Duration.ofSeconds(60);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

    private final Deque<Long> deaths = new ArrayDeque<>(MAXIMUM_DEATHS);

    /**
     * Counts a death.
     *
     * @param nanos now, on {@link System#nanoTime}'s scale
     * @return how long to wait, null to give up
     */
    @Nullable
    Duration afterDeath(long nanos) {
        deaths.addLast(nanos);
        Long oldest = deaths.peekFirst();
        while (oldest != null && nanos - oldest > WINDOW.toNanos()) {
            deaths.removeFirst();
            oldest = deaths.peekFirst();
        }
        if (deaths.size() >= MAXIMUM_DEATHS) {
            return null;
        }
        return FIRST_PAUSE.multipliedBy(1L << (deaths.size() - 1));
    }
}

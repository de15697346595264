package io.heddle.app.nodes;

import java.time.Duration;

/**
 * The pauses before the starts of a node that has ended: a constant first one, doubled with each start that fails, up to {@link #LONGEST}.
 * The stores that a start needs may be away for any time. Owned by the thread of the node's process.
 */
final class RestartPauses {
    static final Duration LONGEST = Duration.ofMinutes(1);

    private final Duration first;
    private Duration next;

    RestartPauses(Duration first) {
        this.first = first;
        this.next = first;
    }

    /** Returns the pause after the end of a node that served or stood by. */
    Duration afterRun() {
        next = first;
        return afterFailedStart();
    }

    /** Returns the pause after a start that has failed. */
    Duration afterFailedStart() {
        Duration pause = next;
        Duration doubled = pause.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        return pause;
    }
}

package io.heddle.app.start;

import io.heddle.core.lifecycle.StartupException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The end of this process that a failure requests. Until the broker runs, the request fails the start; later it exits. States: starting →
 * running; starting or running → ending. Only the first request counts. Thread-safe.
 */
final class ProcessEnd {
    private static final int CANNOT_START = 1;

    private final IntConsumer exit;
    // Guarded by this.
    private boolean isRunning;
    private @Nullable String sentence;
    private int status = CANNOT_START;

    /** @param exit ends the process with an exit status; may block, as it has a thread of its own */
    ProcessEnd(IntConsumer exit) {
        this.exit = exit;
    }

    /** Ends the process with this exit status. Does not block. */
    synchronized void request(String reason, int exitStatus) {
        if (sentence != null) {
            return;
        }
        sentence = reason;
        status = exitStatus;
        if (isRunning) {
            Thread.ofPlatform().name("heddle-give-up").start(() -> exit.accept(exitStatus));
        }
    }

    /**
     * The broker runs. Later requests exit.
     *
     * @throws StartupException if the end was requested before
     */
    synchronized void onRunning() {
        if (sentence != null) {
            throw new StartupException(sentence, null);
        }
        isRunning = true;
    }

    /** Returns the reason of the request, or null if there is none. */
    synchronized @Nullable String reason() {
        return sentence;
    }

    /** Returns the exit status of the request, or the one of a failed start if there is none. */
    synchronized int status() {
        return status;
    }
}

package io.heddle.app.start;

import io.heddle.core.lifecycle.StartupException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The end of this process that a failure requests. Until the broker runs, the request stops and fails the start; later it exits. States:
 * starting → running; starting or running → ending. Only the first request counts. Thread-safe.
 */
final class ProcessEnd {
    private static final int CANNOT_START = 1;

    private final Runnable stopStart;
    private final IntConsumer exit;
    // Guarded by this.
    private boolean isRunning;
    private @Nullable String sentence;
    private int status = CANNOT_START;

    /**
     * The actions may block: each runs on a thread of its own.
     *
     * @param stopStart stops the start of the broker
     * @param exit ends the process with an exit status
     */
    ProcessEnd(Runnable stopStart, IntConsumer exit) {
        this.stopStart = stopStart;
        this.exit = exit;
    }

    /** Ends the process with this exit status. Does not block. */
    synchronized void request(String reason, int exitStatus) {
        if (sentence != null) {
            return;
        }
        sentence = reason;
        status = exitStatus;
        Runnable action = isRunning ? () -> exit.accept(exitStatus) : stopStart;
        Thread.ofPlatform().name("heddle-give-up").start(action);
    }

    /** Ends the process as a signal would, without a failure. Does not block. */
    void leave() {
        Thread.ofPlatform().name("heddle-leave").start(() -> exit.accept(0));
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

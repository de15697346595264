package io.heddle.core.lifecycle;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the phases of the broker in order and stops them in reverse. States: new → starting → ready → stopping → stopped. Start
 * and stop exclude each other; a stop interrupts a start in progress on another thread. Any thread may query the state.
 */
public final class Broker {
    private static final Logger log = LoggerFactory.getLogger(Broker.class);

    private final List<StartupPhase> phases;
    private final Deque<StartupPhase> started = new ArrayDeque<>();
    private volatile State state = State.NEW;
    private volatile @Nullable Thread starting;
    private volatile boolean stopRequested;

    /** The state of a broker. */
    public enum State {
        NEW,
        STARTING,
        READY,
        STOPPING,
        STOPPED
    }

    /** Creates a broker with these phases, in start order. */
    public Broker(List<StartupPhase> phases) {
        this.phases = List.copyOf(phases);
    }

    /**
     * Starts every phase. If one fails, those already started are stopped and the failure is thrown.
     *
     * @throws StartupException if the operator must fix something first
     */
    public synchronized void start() {
        if (state != State.NEW) {
            throw new IllegalStateException("the broker can be started only once; its state is " + state);
        }
        state = State.STARTING;
        starting = Thread.currentThread();
        try {
            for (StartupPhase phase : phases) {
                if (stopRequested) {
                    throw new StartupException("the start was interrupted", null);
                }
                log.debug("Starting {}", phase.name());
                phase.start();
                started.push(phase);
            }
        } catch (RuntimeException failure) {
            starting = null;
            stopPhases();
            throw failure;
        }
        starting = null;
        state = State.READY;
    }

    /** Stops the started phases. Idempotent. A phase that fails to stop does not prevent the others from stopping. */
    public void stop() {
        stopRequested = true;
        Thread interrupted = starting;
        if (interrupted != null && !interrupted.equals(Thread.currentThread())) {
            interrupted.interrupt();
        }
        stopPhases();
    }

    private synchronized void stopPhases() {
        if (state == State.STOPPED) {
            return;
        }
        state = State.STOPPING;
        while (!started.isEmpty()) {
            StartupPhase phase = started.pop();
            try {
                log.debug("Stopping {}", phase.name());
                phase.stop();
            } catch (RuntimeException failure) {
                log.error("Failed to stop phase {}; continuing with the next one", phase.name(), failure);
            }
        }
        state = State.STOPPED;
    }

    public State state() {
        return state;
    }
}

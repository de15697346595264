package io.heddle.core.simulation;

/** A broken promise of the broker, or an exception that no part of it handles, in one run. */
public final class SimulationFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SimulationFailure(String message) {
        super(message);
    }

    SimulationFailure(String message, Throwable cause) {
        super(message, cause);
    }
}

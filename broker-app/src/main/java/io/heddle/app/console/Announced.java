package io.heddle.app.console;

/** Lines on standard output that scripts wait for. */
public final class Announced {
    /** The broker serves clients. */
    public static final String READY = "Heddle is ready";

    /** The beginning of the sentence of a failed start, on standard error. */
    public static final String CANNOT_START = "Heddle cannot start: ";

    private Announced() {}
}

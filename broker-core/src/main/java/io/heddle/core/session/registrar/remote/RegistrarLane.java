package io.heddle.core.session.registrar.remote;

/** Sends frames to one other node, in order. Thread-safe, never blocks. */
@FunctionalInterface
public interface RegistrarLane {
    /**
     * Sends a frame. An accepted frame arrives once, unless one of the two nodes ends.
     *
     * @param frame not changed afterwards
     * @return false if the lane has no room; then nothing is sent
     */
    boolean send(byte[] frame);
}

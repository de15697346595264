package io.heddle.core.retained;

/** Tells whether other nodes can acknowledge retained messages. Thread-safe. */
@FunctionalInterface
public interface OtherWriters {
    /** Other nodes may acknowledge messages. */
    long PRESENT = -1;

    /**
     * Returns a number that this period without other serving nodes shares with no other one; {@link #PRESENT} if there are other nodes, or
     * if this node may not have learned of them.
     */
    long absence();
}

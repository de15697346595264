package io.heddle.core.cluster;

import io.heddle.core.StoreUnavailableException;

/** The life of this node as its producers see it, from its join until it has left or is over. Thread-safe. */
public interface NodeLife {
    Incarnation incarnation();

    /** Returns whether this node knows already that the cluster has declared it dead. Does not block. */
    boolean isOver();

    /**
     * Reads the log of nodes to the end that it has now, and returns whether this node is still a member. A producer commits only after it was
     * initialised and then confirmed in this way. The node that takes over declares this node dead first and fences its producers afterwards.
     * So a declaration that this method has not read is followed by a fence that stops the producer.
     *
     * @throws StoreUnavailableException if the log does not answer in some seconds; the caller may retry
     */
    boolean isConfirmed() throws InterruptedException;
}

package io.heddle.core.retained;

import io.heddle.core.client.EventLoop;

/** Tells when this node knows the retained messages that other nodes have acknowledged. Thread-safe. */
@FunctionalInterface
public interface RetainedReads {
    /**
     * Runs a task once this node knows each change of a retained message that any node had acknowledged before the call.
     *
     * @param eventLoop that runs the task; the caller is on it, and the task runs before the method returns if there is nothing to wait for
     */
    void whenKnown(EventLoop eventLoop, Runnable task);
}

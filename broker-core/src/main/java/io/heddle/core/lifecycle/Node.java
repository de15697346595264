package io.heddle.core.lifecycle;

/** This node of the cluster, as the REST interface shows it. Implemented by the application. */
public interface Node {
    /** Returns the current status. Does not block; any thread. */
    NodeStatus status();
}

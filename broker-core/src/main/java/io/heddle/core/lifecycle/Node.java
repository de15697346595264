package io.heddle.core.lifecycle;

/** This node of the cluster, as others may look at it. The application implements it from the parts it wires together. */
public interface Node {
    /** A picture of the node now. Does not block; any thread may ask. */
    NodeStatus status();
}

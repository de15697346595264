package io.heddle.core.cluster;

/**
 * The name of a node, {@code heddle.node.id}: unique among the running nodes of a cluster and the same after a restart.
 *
 * @param value not empty
 */
public record NodeId(String value) {
    public NodeId {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a node id is empty: use at least one character");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}

package io.heddle.core.cluster;

/**
 * The facts that a node tells the others about itself, the same for a whole incarnation.
 *
 * @param id of the node
 * @param address at which operators find the node; may be empty
 * @param process the name of the process, which no other process ever has; empty if the system has no such names
 * @param featureLevel the highest level of records and protocols that the node understands, from 1
 * @param transactionalIds the number of the incarnation's transactional ids, whose names follow from the incarnation
 */
public record NodeDescription(NodeId id, String address, String process, int featureLevel, int transactionalIds) {
    /** The feature level of this version of Heddle. */
    public static final int FEATURE_LEVEL = 1;
}

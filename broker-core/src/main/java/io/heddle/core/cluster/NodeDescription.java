package io.heddle.core.cluster;

/**
 * The facts that a node tells the others about itself, the same for a whole incarnation.
 *
 * @param id of the node
 * @param address at which operators find the node; may be empty
 * @param process the name of the process, which no other process ever has; empty if the system has no such names
 * @param featureLevel the {@link #rules} that the node follows, and the {@link #commands} that it understands
 * @param transactionalIds the number of the incarnation's transactional ids, whose names follow from the incarnation
 * @param link where the node listens for links, and the certificate that it shows there
 */
public record NodeDescription(
        NodeId id, String address, String process, int featureLevel, int transactionalIds, LinkEndpoint link) {
    /** The rules of nodes of which one serves. */
    public static final int ONE_SERVES = 1;

    /** The rules of nodes that all serve. */
    public static final int ALL_SERVE = 2;

    /** The level of commands with the one that clears a queue. */
    public static final int CLEAR_QUEUE = 1;

    /** The level of the commands of bucket logs that this build understands. Raised with each new kind of command. */
    public static final int COMMANDS = CLEAR_QUEUE;

    private static final int COMMANDS_SHIFT = 8;
    private static final int RULES_MASK = 0xff;

    /** Describes a node that opens no links. */
    public NodeDescription(NodeId id, String address, String process, int featureLevel, int transactionalIds) {
        this(id, address, process, featureLevel, transactionalIds, LinkEndpoint.NONE);
    }

    /** Returns the feature level of this build with these rules. */
    public static int featureLevel(int rules) {
        return COMMANDS << COMMANDS_SHIFT | rules;
    }

    /** Returns the rules by which the node divides the work of the cluster, the same for all members. */
    public int rules() {
        return featureLevel & RULES_MASK;
    }

    /**
     * Returns the level of the commands that the node understands. A command of a higher level stops the bucket at this node, so it is written only
     * when all members understand it.
     */
    public int commands() {
        return featureLevel >>> COMMANDS_SHIFT;
    }

    /**
     * The end of the links of one incarnation.
     *
     * @param address an IP address and a port, such as {@code 10.0.0.5:7883} or {@code [::1]:7883}; empty if the node opens no links
     * @param fingerprint the SHA-256 fingerprint of the node's certificate in hex digits; empty if the node opens no links
     */
    public record LinkEndpoint(String address, String fingerprint) {
        /** The endpoint of a node that opens no links, because it is alone on its stores. */
        public static final LinkEndpoint NONE = new LinkEndpoint("", "");
    }
}

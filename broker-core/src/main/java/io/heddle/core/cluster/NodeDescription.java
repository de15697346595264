package io.heddle.core.cluster;

/**
 * The facts that a node tells the others about itself, the same for a whole incarnation.
 *
 * @param id of the node
 * @param address at which operators find the node; may be empty
 * @param process the name of the process, which no other process ever has; empty if the system has no such names
 * @param featureLevel the {@link #rules} that the node follows, and the {@link #formats} of its build
 * @param transactionalIds the number of the incarnation's transactional ids, whose names follow from the incarnation
 * @param link where the node listens for links, and the certificate that it shows there
 */
public record NodeDescription(
        NodeId id, String address, String process, int featureLevel, int transactionalIds, LinkEndpoint link) {
    /** The rules of nodes of which one serves. */
    public static final int ONE_SERVES = 1;

    /** The rules of nodes that all serve. */
    public static final int ALL_SERVE = 2;

    /** The formats of this build. Raised with each change of a record, of a value or script in Redis, or of a frame between nodes. */
    public static final int FORMATS = 3;

    private static final int FORMATS_SHIFT = 8;
    private static final int RULES_MASK = 0xff;

    /** Describes a node that opens no links. */
    public NodeDescription(NodeId id, String address, String process, int featureLevel, int transactionalIds) {
        this(id, address, process, featureLevel, transactionalIds, LinkEndpoint.NONE);
    }

    /** Returns the feature level of this build with these rules. */
    public static int featureLevel(int rules) {
        return FORMATS << FORMATS_SHIFT | rules;
    }

    /** Returns the rules by which the node divides the work of the cluster, the same for all members. */
    public int rules() {
        return featureLevel & RULES_MASK;
    }

    /** Returns the formats of the node's build, the same for all members. */
    public int formats() {
        return featureLevel >>> FORMATS_SHIFT;
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

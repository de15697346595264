package io.heddle.core.cluster;

/**
 * The facts that a node tells the others about itself, the same for a whole incarnation.
 *
 * @param id of the node
 * @param address at which operators find the node; may be empty
 * @param process the name of the process, which no other process ever has; empty if the system has no such names
 * @param formats the {@link #FORMATS} of the node's build, the same for all members
 * @param transactionalIds the number of the incarnation's transactional ids, whose names follow from the incarnation
 * @param link where the node listens for links, and the certificate that it shows there
 */
public record NodeDescription(
        NodeId id, String address, String process, int formats, int transactionalIds, LinkEndpoint link) {
    /** The formats of this build. Raised with each change of a record, of a value or script in Redis, or of a frame between nodes. */
    public static final int FORMATS = 5;

    /** Describes a node that opens no links. */
    public NodeDescription(NodeId id, String address, String process, int formats, int transactionalIds) {
        this(id, address, process, formats, transactionalIds, LinkEndpoint.NONE);
    }

    /** Knows for certain of some processes that they have ended, long before their leases are over. Thread-safe. */
    @FunctionalInterface
    public interface ProcessEvidence {
        /**
         * Returns whether a process has ended. Does not block for long.
         *
         * @param process a name from a {@link NodeDescription}
         * @return false also if nothing is known of the process
         */
        boolean hasEnded(String process);
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

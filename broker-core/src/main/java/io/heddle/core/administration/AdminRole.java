package io.heddle.core.administration;

public enum AdminRole {
    /** May read and change everything. */
    ADMIN,
    /**
     * May read everything, and run the cluster: disconnect clients, end sessions, drain nodes, clear queues. May not publish, nor change
     * who may connect or administer.
     */
    OPERATOR,
    /** May read, except the payloads of messages. */
    VIEWER
}

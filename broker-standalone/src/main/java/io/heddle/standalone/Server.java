package io.heddle.standalone;

/** The servers that a broker needs. */
public enum Server {
    KAFKA("kafka", "Kafka"),
    REDIS("redis", "Redis"),
    POSTGRESQL("postgresql", "PostgreSQL");

    private final String label;
    private final String displayName;

    Server(String label, String displayName) {
        this.label = label;
        this.displayName = displayName;
    }

    /** The lower-case name in files, process arguments and metrics. */
    public String label() {
        return label;
    }

    public String displayName() {
        return displayName;
    }
}

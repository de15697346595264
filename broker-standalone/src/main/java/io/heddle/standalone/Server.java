package io.heddle.standalone;

/** The servers a broker needs. */
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

    /** In lower case, as it stands in file names, process marks and metrics. */
    public String label() {
        return label;
    }

    /** As a person writes it. */
    public String displayName() {
        return displayName;
    }
}

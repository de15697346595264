package io.heddle.standalone;

/** The purpose that the servers are configured for. */
public enum Tuning {
    /** Throughput: Kafka with all JIT compilers and 512 MiB of heap, writes flushed as the servers' vendors recommend. */
    SERVING,
    /** Start-up time and memory: Kafka with 256 MiB of heap and the C1 compiler only, PostgreSQL without fsync. */
    TESTS,
    /** Like {@link #TESTS}, but Kafka replaces a silent node as late as with its own defaults, for tests of the time before. */
    OUTAGE_TESTS
}

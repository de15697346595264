package io.heddle.standalone;

/** The purpose that the servers are configured for. */
public enum Tuning {
    /** Throughput: Kafka with all JIT compilers and 512 MiB of heap, writes flushed as the servers' vendors recommend. */
    SERVING,
    /** Start-up time and memory: Kafka with 256 MiB of heap and the C1 compiler only, PostgreSQL without fsync. */
    TESTS
}

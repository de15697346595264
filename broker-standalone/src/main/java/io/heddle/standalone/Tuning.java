package io.heddle.standalone;

/** What the servers are trimmed for. */
public enum Tuning {
    /** Throughput: Kafka with the full JIT and 512 MiB of heap, writes flushed as the servers' makers recommend. */
    SERVING,
    /** Start-up time and memory: Kafka with 256 MiB and the first compiler only, PostgreSQL without fsync. */
    TESTS
}

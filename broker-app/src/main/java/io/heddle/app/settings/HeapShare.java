package io.heddle.app.settings;

import org.springframework.util.unit.DataSize;

/**
 * Limits whose defaults are shares of the heap, so that a broker with a small heap is as safe as one with a large heap. Together they leave a
 * quarter of the heap for everything else; a test verifies this for every heap size.
 */
enum HeapShare {
    /** Sessions and their messages. */
    SESSIONS(4, 1, Long.MAX_VALUE),
    /** Retained messages. */
    RETAINED(8, 1, Long.MAX_VALUE),
    /** Messages handed over to event loops, of all loops together. */
    HANDOVER(16, 1, Long.MAX_VALUE),
    /** Messages that were read from queues and not sent. */
    READ_AHEAD(32, 1, Long.MAX_VALUE),
    /** Unacknowledged appends. The total can be three times as much: twice for messages, once for changes. */
    PENDING_APPENDS(32, 4L << 20, 256L << 20),
    /** Buffer of one Kafka producer: at least twice the largest record. */
    PRODUCER_BUFFER(8, 32L << 20, 64L << 20),
    /** Subscription changes that are being written. */
    PENDING_SUBSCRIPTIONS(64, 1L << 20, 64L << 20),
    /** Subscription changes that are waiting to be written. */
    WAITING_SUBSCRIPTIONS(32, 1L << 20, Long.MAX_VALUE),
    /** Partially received packets. In direct memory, whose default maximum equals that of the heap. */
    UNFINISHED_PACKETS(4, 1, Long.MAX_VALUE),
    /** Output that clients have not read yet. Also in direct memory, and an eighth of it once more in the heap for large payloads. */
    UNSENT_OUTPUT(4, 1, Long.MAX_VALUE);

    private final int parts;
    private final long leastBytes;
    private final long mostBytes;

    HeapShare(int parts, long leastBytes, long mostBytes) {
        this.parts = parts;
        this.leastBytes = leastBytes;
        this.mostBytes = mostBytes;
    }

    /** Returns the value of the setting, or the share of this process's heap if it is 0. */
    long bytes(DataSize setting) {
        return setting.toBytes() > 0
                ? setting.toBytes()
                : ofHeap(Runtime.getRuntime().maxMemory());
    }

    long ofHeap(long heapBytes) {
        return Math.clamp(heapBytes / parts, leastBytes, mostBytes);
    }
}

package io.heddle.app.settings;

import org.springframework.util.unit.DataSize;

/**
 * The limits whose defaults are shares of the heap, so that a broker with a small heap is as safe as one with a large heap. Together
 * they leave a quarter of the heap to the rest of the program; a test holds that for every size of heap.
 */
enum HeapShare {
    /** What sessions hold. */
    SESSIONS(4, 1, Long.MAX_VALUE),
    /** Retained messages. */
    RETAINED(8, 1, Long.MAX_VALUE),
    /** Messages that wait for event loops, of all loops. */
    HANDOVER(16, 1, Long.MAX_VALUE),
    /** Messages that were read from queues and not taken. */
    READ_AHEAD(32, 1, Long.MAX_VALUE),
    /** Appends without an answer; three times as much is possible: twice for messages, once for changes. */
    PENDING_APPENDS(32, 4L << 20, 256L << 20),
    /** The buffers of one of Kafka's producers; at most the largest record and as much again. */
    PRODUCER_BUFFER(8, 32L << 20, 64L << 20),
    /** Changes of subscriptions that are being written. */
    PENDING_SUBSCRIPTIONS(64, 1L << 20, 64L << 20),
    /** Changes of subscriptions that wait until they may be written. */
    WAITING_SUBSCRIPTIONS(32, 1L << 20, Long.MAX_VALUE),
    /** Packets of which only a part has come; outside of the heap, which by default is as large as the heap. */
    UNFINISHED_PACKETS(4, 1, Long.MAX_VALUE),
    /** Output that clients have not read yet; outside of the heap, too. */
    UNSENT_OUTPUT(4, 1, Long.MAX_VALUE);

    private final int parts;
    private final long leastBytes;
    private final long mostBytes;

    HeapShare(int parts, long leastBytes, long mostBytes) {
        this.parts = parts;
        this.leastBytes = leastBytes;
        this.mostBytes = mostBytes;
    }

    /** The share of this program's heap, unless the setting says how much it is. */
    long bytes(DataSize setting) {
        return setting.toBytes() > 0
                ? setting.toBytes()
                : ofHeap(Runtime.getRuntime().maxMemory());
    }

    /** The share of a heap. */
    long ofHeap(long heapBytes) {
        return Math.clamp(heapBytes / parts, leastBytes, mostBytes);
    }
}

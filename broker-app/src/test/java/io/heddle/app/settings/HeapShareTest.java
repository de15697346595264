package io.heddle.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

final class HeapShareTest {
    private static final long MEGABYTE = 1 << 20;

    /** Until Kafka acknowledges a record, memory contains it twice: as it was appended, and in the buffer of a producer. */
    private static long together(long heapBytes) {
        return HeapShare.SESSIONS.ofHeap(heapBytes)
                + HeapShare.RETAINED.ofHeap(heapBytes)
                + HeapShare.HANDOVER.ofHeap(heapBytes)
                + HeapShare.READ_AHEAD.ofHeap(heapBytes)
                + 3 * HeapShare.PENDING_APPENDS.ofHeap(heapBytes)
                + HeapShare.PRODUCER_BUFFER.ofHeap(heapBytes)
                + HeapShare.WAITING_SUBSCRIPTIONS.ofHeap(heapBytes)
                // Of large payloads.
                + HeapShare.UNSENT_OUTPUT.ofHeap(heapBytes) / 8;
    }

    @ParameterizedTest
    @ValueSource(longs = {256, 512, 1_024, 4_096, 65_536})
    void theSharesLeaveAQuarterOfTheHeapFree(long heapMegabytes) {
        long heapBytes = heapMegabytes * MEGABYTE;

        assertThat(together(heapBytes)).isLessThanOrEqualTo(heapBytes / 4 * 3);
    }

    @ParameterizedTest
    @ValueSource(longs = {256, 512, 1_024, 4_096, 65_536})
    void subscriptionChangesLeaveHalfOfTheirLimitToSessions(long heapMegabytes) {
        long heapBytes = heapMegabytes * MEGABYTE;

        assertThat(HeapShare.PENDING_SUBSCRIPTIONS.ofHeap(heapBytes))
                .isLessThanOrEqualTo(HeapShare.PENDING_APPENDS.ofHeap(heapBytes) / 2);
    }

    @Test
    void aConfiguredSizeIsUsedAsItIs() {
        assertThat(HeapShare.PRODUCER_BUFFER.bytes(DataSize.ofMegabytes(100))).isEqualTo(100 * MEGABYTE);
        assertThat(HeapShare.PRODUCER_BUFFER.bytes(DataSize.ofBytes(0)))
                .isEqualTo(HeapShare.PRODUCER_BUFFER.ofHeap(Runtime.getRuntime().maxMemory()));
    }

    @Test
    void theLoopsShareTheHandoverLimit() {
        DeliverySettings derived = new DeliverySettings(DataSize.ofBytes(0), DataSize.ofBytes(0));

        assertThat(4 * derived.handoverLimitBytes(4))
                .isLessThanOrEqualTo(
                        HeapShare.HANDOVER.ofHeap(Runtime.getRuntime().maxMemory()));
        assertThat(new DeliverySettings(DataSize.ofMegabytes(1), DataSize.ofBytes(0)).handoverLimitBytes(4))
                .isEqualTo(MEGABYTE);
    }
}

package io.heddle.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.quota.StorageRoom.State;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** Limits: 800 bytes of logs, 160 bytes of free disk space. */
final class StorageRoomTest {
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private long free = 1_000;
    private final StorageRoom room = new StorageRoom(800, 160, () -> free, metrics);

    private State judge(long kept, long onDisk) {
        room.measureFreeBytes();
        room.judge(kept, onDisk);
        return room.state();
    }

    @Test
    void lowDiskExhaustsStorageUntilSomewhatMoreIsFree() {
        assertThat(judge(0, 0)).isEqualTo(State.AVAILABLE);
        assertThat(room.isExhausted()).isFalse();

        free = 159;
        assertThat(judge(0, 0)).isEqualTo(State.DISK_LOW);
        assertThat(room.isExhausted()).isTrue();
        assertThat(metrics.get("heddle.storage.exhausted").gauge().value()).isOne();
        free = 179;
        assertThat(judge(0, 0)).isEqualTo(State.DISK_LOW);
        free = 180;
        assertThat(judge(0, 0)).isEqualTo(State.AVAILABLE);
    }

    @Test
    void logsAboveTheirLimitExhaustStorageUntilSomewhatBelow() {
        assertThat(judge(800, 900)).isEqualTo(State.AVAILABLE);
        assertThat(judge(801, 900)).isEqualTo(State.LOG_FULL);
        assertThat(judge(701, 900)).isEqualTo(State.LOG_FULL);
        assertThat(judge(700, 900)).isEqualTo(State.AVAILABLE);
        assertThat(metrics.get("heddle.buckets.bytes").gauge().value()).isEqualTo(700);
    }

    @Test
    void unfreedLogExhaustsStorageAtTwiceTheLimit() {
        assertThat(judge(100, 1_600)).isEqualTo(State.AVAILABLE);
        assertThat(judge(100, 1_601)).isEqualTo(State.LOG_FULL);
    }

    @Test
    void unmeasurableDiskIsNeverLow() {
        free = StorageRoom.UNKNOWN;

        assertThat(judge(0, 0)).isEqualTo(State.AVAILABLE);
        assertThat(metrics.get("heddle.disk.free.bytes").gauge().value()).isNaN();
    }
}

package io.heddle.app.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.quota.StorageRoom;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

final class DiskHealthTest {
    private final AtomicLong free = new AtomicLong(500);
    private final StorageRoom room = new StorageRoom(1_000, 100, free::get, new SimpleMeterRegistry());

    private Health measured() {
        room.measureFreeBytes();
        room.judge(0, 0);
        return new DiskHealth(room).health();
    }

    @Test
    void aDiskBelowItsMinimumIsOutOfService() {
        assertThat(measured().getStatus()).isEqualTo(Status.UP);

        free.set(99);

        assertThat(measured().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(measured().getDetails())
                .containsEntry("state", "DISK_LOW")
                .containsEntry("freeBytes", 99L)
                .containsEntry("minimumFreeBytes", 100L);
    }

    @Test
    void anUnknownDiskHasNoDetails() {
        free.set(StorageRoom.UNKNOWN);

        assertThat(measured().getStatus()).isEqualTo(Status.UP);
        assertThat(measured().getDetails()).doesNotContainKey("freeBytes");
    }
}

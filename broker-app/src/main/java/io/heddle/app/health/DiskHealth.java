package io.heddle.app.health;

import io.heddle.core.quota.StorageRoom;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Health of the storage for messages: the disk of the data directory (profile "standalone") and the maximum size of the bucket logs. Out of
 * service while PUBLISH packets are refused for lack of space.
 */
public final class DiskHealth implements HealthIndicator {
    private final StorageRoom room;

    public DiskHealth(StorageRoom room) {
        this.room = room;
    }

    @Override
    public Health health() {
        Health.Builder health = room.isExhausted() ? Health.outOfService() : Health.up();
        health.withDetail("state", room.state().name())
                .withDetail("bucketLogBytes", room.keptBytes())
                .withDetail("maximumBucketLogBytes", room.maximumBytes());
        if (room.freeBytes() != StorageRoom.UNKNOWN) {
            health.withDetail("freeBytes", room.freeBytes()).withDetail("minimumFreeBytes", room.minimumFreeBytes());
        }
        return health.build();
    }
}

package io.heddle.api.blocked;

import io.heddle.core.authentication.blocked.BlockedClient;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of an entry.
 *
 * @param until null if it stays until it is lifted
 * @param createdBy an administrator, or flapping for an entry of the broker itself
 */
record BlockedClientResponse(
        UUID id,
        String kind,
        String value,
        String reason,
        @Nullable Instant until,
        String createdBy,
        Instant createdAt) {
    static BlockedClientResponse of(BlockedClient entry) {
        return new BlockedClientResponse(
                entry.id(),
                entry.kind().name(),
                entry.value(),
                entry.reason(),
                entry.until(),
                entry.createdBy(),
                entry.createdAt());
    }
}

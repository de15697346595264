package io.heddle.core.operator.message;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.LogExtent;
import org.jspecify.annotations.Nullable;

/**
 * @param isConnected whether the client is connected to any node
 * @param position the lowest sequence number that the client has not acknowledged, as the answering node knows it
 * @param extent null if Kafka has no log of the client
 */
public record ApplicationLog(
        ClientId clientId,
        boolean isConnected,
        long position,
        @Nullable LogExtent extent) {
    /** Returns about how many messages the client has not acknowledged: the ends of transactions count, too. */
    public long lag() {
        return extent == null ? 0 : Math.max(0, extent.end() - Math.max(position, extent.first()));
    }
}

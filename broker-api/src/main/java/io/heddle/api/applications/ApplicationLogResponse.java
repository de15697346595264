package io.heddle.api.applications;

import io.heddle.core.delivery.application.LogExtent;
import io.heddle.core.operator.message.ApplicationLog;
import org.jspecify.annotations.Nullable;

/**
 * The log of an APPLICATION client.
 *
 * @param lag about how many messages the client has not acknowledged: the ends of transactions count, too
 * @param position the lowest offset that the client has not acknowledged
 * @param firstOffset the lowest offset in the log; null if Kafka has no log of the client
 * @param endOffset one above the highest offset; null as before
 * @param logBytes on the disk of one Kafka broker; null if Kafka does not report it
 */
record ApplicationLogResponse(
        String clientId,
        boolean connected,
        long lag,
        long position,
        @Nullable Long firstOffset,
        @Nullable Long endOffset,
        @Nullable Long logBytes) {
    static ApplicationLogResponse of(ApplicationLog log) {
        LogExtent extent = log.extent();
        return new ApplicationLogResponse(
                log.clientId().value(),
                log.isConnected(),
                log.lag(),
                log.position(),
                extent == null ? null : extent.first(),
                extent == null ? null : extent.end(),
                extent == null || extent.bytes() == LogExtent.UNKNOWN ? null : extent.bytes());
    }
}

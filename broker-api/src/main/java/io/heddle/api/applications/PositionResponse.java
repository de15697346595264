package io.heddle.api.applications;

import io.heddle.core.delivery.application.PositionChange;

/**
 * A changed position, which is durable.
 *
 * @param positionBefore the lowest offset that the client had not acknowledged
 * @param position the lowest offset that counts as not acknowledged now; below the requested one if the client must first complete a QoS 2
 *     message
 */
record PositionResponse(long positionBefore, long position) {
    static PositionResponse of(PositionChange change) {
        return new PositionResponse(change.before(), change.after());
    }
}

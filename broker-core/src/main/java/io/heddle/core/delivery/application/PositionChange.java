package io.heddle.core.delivery.application;

/**
 * A change of the position of a session in its log.
 *
 * @param before the lowest sequence number that was not acknowledged
 * @param after the lowest sequence number that is not acknowledged now: the wanted one, or that of a message for which PUBREL must be sent first
 */
public record PositionChange(long before, long after) {}

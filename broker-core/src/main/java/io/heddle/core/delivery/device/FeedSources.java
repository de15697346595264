package io.heddle.core.delivery.device;

import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.MessageLog;

/**
 * The parts that all feeds of one event loop share.
 *
 * @param bounds of every queue
 * @param acknowledgements of the event loop's clients
 * @param readAhead bounds what the event loop's feeds hold together
 * @param lease PUBREL is sent only while it is valid
 */
public record FeedSources(
        DeviceQueues queues,
        QueueBounds bounds,
        MessageLog log,
        QueueAcknowledgements acknowledgements,
        ReadAhead readAhead,
        RoutingLease lease) {}

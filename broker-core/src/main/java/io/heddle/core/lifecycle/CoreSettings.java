package io.heddle.core.lifecycle;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.bucket.TruncationLimits;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.node.MessageNames;
import io.heddle.core.session.SessionSettings;
import io.heddle.core.session.outbound.QueueLimits;
import java.time.Duration;

/**
 * The settings of {@link BrokerCore}.
 *
 * @param incarnation the text of the id of this start of the node, unique among all starts of all nodes
 * @param bucketCount the number of buckets, the same in all nodes
 * @param handoverLimitBytes the maximum size of QoS 0 messages that other event loops have handed to one event loop
 * @param feedReadAheadBytes the maximum size of messages that all sessions have read from their queues but not sent
 * @param bucketReadAheadBytes the maximum size of a bucket's commands that are read from its log but not applied
 * @param acknowledgementInterval between two records of a client's acknowledgements in the bucket log; zero for no records
 */
public record CoreSettings(
        String incarnation,
        int bucketCount,
        SessionSettings session,
        long handoverLimitBytes,
        long feedReadAheadBytes,
        long bucketReadAheadBytes,
        Duration acknowledgementInterval,
        TruncationLimits truncation) {
    MessageNames messageNames(int eventLoops) {
        return new MessageNames(Incarnation.parse(incarnation), eventLoops);
    }

    QueueBounds queueBounds() {
        QueueLimits queue = session.queue();
        return new QueueBounds(
                queue.maximumMessages(),
                queue.maximumBytes(),
                queue.overflow() == QueueLimits.Overflow.DROP_OLDEST,
                session.maximumInFlight());
    }
}

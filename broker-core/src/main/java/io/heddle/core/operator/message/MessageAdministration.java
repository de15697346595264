package io.heddle.core.operator.message;

import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.node.NodeResources;
import io.heddle.core.publish.PublishService;
import io.heddle.core.publish.RetainedRemoval;
import io.heddle.core.retained.RetainedReads;
import io.heddle.core.session.persistent.PersistentSessions;
import java.util.List;

/**
 * What administrators see of the messages of a node that serves, and what they do with them.
 *
 * @param retained the retained messages
 * @param publisher publishes messages
 * @param queues the queues of DEVICE clients
 * @param applications the logs of APPLICATION clients
 * @param clock by which messages expire
 */
public record MessageAdministration(
        RetainedAdministration retained,
        MessagePublisher publisher,
        QueueAdministration queues,
        ApplicationLogAdministration applications,
        SteadyClock clock) {
    /**
     * @param seeks changes positions of the clients about which this node decides
     * @param positions those to which the log reports its appends
     * @param eventLoops in the order of their indexes
     */
    public static MessageAdministration of(
            NodeResources node,
            RetainedReads reads,
            PublishService publishService,
            MessageLog log,
            DeviceQueues queues,
            PersistentSessions sessions,
            ApplicationLogAdministration.Seeks seeks,
            BucketPositions positions,
            RoutingLease lease,
            List<EventLoop> eventLoops) {
        EventLoop loop = eventLoops.getFirst();
        return new MessageAdministration(
                new RetainedAdministration(
                        node.retained(),
                        reads,
                        new RetainedRemoval(node.retained(), log),
                        loop,
                        node.clock(),
                        node.metrics()),
                new MessagePublisher(publishService, positions, lease, eventLoops),
                new QueueAdministration(sessions, queues, log, positions, loop),
                new ApplicationLogAdministration(sessions, seeks),
                node.clock());
    }

    /** Returns the same for a cluster, in which another node may decide about a client. */
    public MessageAdministration with(ApplicationLogAdministration.Seeks seeks) {
        return new MessageAdministration(retained, publisher, queues, applications.with(seeks), clock);
    }
}

package io.heddle.core.node;

import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.node.ForwardReceiver;
import io.heddle.core.delivery.node.Forwarding;
import io.heddle.core.delivery.node.MessageNames;
import io.heddle.core.delivery.node.NodeForwarding;
import io.heddle.core.delivery.node.SharedRedispatch;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.routing.Router;
import io.heddle.core.routing.interest.ClusterPeers;
import io.heddle.core.routing.interest.InterestExchange;
import io.heddle.core.routing.interest.TransientInterest;
import io.heddle.core.subscription.RemoteNodes;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The subscribers and messages of one node of a cluster, over links. Thread-safe. */
public final class ClusterMessages implements MessageRouting {
    private final List<EventLoop> eventLoops;
    private final NodeLinks links;
    private final NodeResources node;
    private final ClusterPeers peers;
    private final InterestExchange interest;
    private final NodeForwarding forwarding;

    /**
     * Sets the receivers of frames. Before the node joins the cluster.
     *
     * @param eventLoops in the order of their indexes; the first one owns the interest of all nodes
     */
    public ClusterMessages(List<EventLoop> eventLoops, NodeLinks links, NodeResources node) {
        this.eventLoops = List.copyOf(eventLoops);
        this.links = links;
        this.node = node;
        RemoteNodes nodes = node.trie().nodes();
        this.peers = new ClusterPeers(eventLoops.getFirst(), nodes);
        this.forwarding = new NodeForwarding(
                peers, nodes, eventLoops, links, node.memory(), node.clock(), node.ledger(), node.metrics());
        this.interest = new InterestExchange(
                peers, node.trie(), links, task -> node.retained().whenSettled(task), node.metrics());
    }

    /**
     * The view of the cluster has changed. The first call comes before the logs are followed, and each one that adds a member before that
     * member serves. Any thread, in the order of the views.
     *
     * @param others all members except this node, from their Joined records on
     */
    public void onMembers(Collection<Incarnation> others) {
        peers.onMembers(others);
    }

    /**
     * Completes when this node knows the subscribers of all members that it knows now, and each of them waits for this node before it
     * answers SUBSCRIBE. After the first {@link #onMembers}; before the node serves.
     */
    public CompletionStage<Void> whenInStep() {
        return interest.whenInStep();
    }

    @Override
    public TransientInterest interest() {
        return interest;
    }

    @Override
    public Forwarding forwarding() {
        return forwarding;
    }

    @Override
    public void receive(Router router, DirectDelivery direct, SharedRedispatch redispatch, MessageNames names) {
        forwarding.dispatchReturnedWith(redispatch);
        new ForwardReceiver(eventLoops, links, router, direct, names, node.clock(), node.metrics()).start();
    }
}

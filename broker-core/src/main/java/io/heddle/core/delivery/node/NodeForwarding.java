package io.heddle.core.delivery.node;

import static java.util.Objects.requireNonNull;

import io.heddle.core.FailureLog;
import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.ledger.Flow;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.routing.NodeRecipients;
import io.heddle.core.routing.RoutingPlan;
import io.heddle.core.routing.interest.ClusterPeers;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.RemoteNodes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to other nodes over links. Thread-safe. The messages that one event loop publishes keep their order, because they use one
 * lane for each node.
 *
 * <p>At the bound of a link, messages that no node confirms are dropped; those that it confirms wait, and are sent again every {@link
 * #SEND_AGAIN}. A receipt is awaited until its node has ended. Messages for members of shared subscriptions on a node that has ended, or that
 * has no member any more, are dispatched to other members; at QoS 2 only those that the ended node cannot have sent to a client
 * [MQTT-4.8.2-5].
 */
@HotPath
public final class NodeForwarding implements Forwarding, ClusterPeers.Listener {
    private static final Logger log = LoggerFactory.getLogger(NodeForwarding.class);
    private static final Duration SEND_AGAIN = Duration.ofMillis(5);

    private final List<EventLoop> eventLoops;
    private final EventLoop timers;
    private final NodeLinks links;
    private final MemoryBudget memory;
    private final SteadyClock clock;
    private final ConnectNumbers connects;
    private final ForwardMetrics metrics;
    private final Counter malformed;
    private final ReturnedMessages returned;
    // The data lanes of each member, by their number - 1.
    private final Map<RemoteNode, ForwardLane[]> lanes = new ConcurrentHashMap<>();
    private final AtomicBoolean isSendingAgain = new AtomicBoolean();

    /** Sets the receiver of receipts. Before the node joins the cluster. */
    public NodeForwarding(
            ClusterPeers peers,
            RemoteNodes nodes,
            List<EventLoop> eventLoops,
            NodeLinks links,
            MemoryBudget memory,
            SteadyClock clock,
            Ledger ledger,
            MeterRegistry registry) {
        this.eventLoops = List.copyOf(eventLoops);
        this.timers = peers.eventLoop();
        this.links = links;
        this.memory = memory;
        this.clock = clock;
        this.metrics = new ForwardMetrics(ledger, registry);
        this.malformed = registry.counter("heddle.cluster.frames.malformed", "of", "receipts");
        this.returned = new ReturnedMessages(timers, registry);
        peers.listen(this);
        this.connects = new ConnectNumbers(peers, nodes, links, registry);
        links.receive(ForwardFrame.RECEIPT, ForwardFrame.RECEIPT, (from, _, _, payload) -> onReceipt(from, payload));
    }

    /** Sets the dispatcher of messages of shared subscriptions to other members. Before the first message. */
    public void dispatchReturnedWith(SharedRedispatch dispatcher) {
        returned.dispatchWith(dispatcher);
    }

    @Override
    public boolean isHeldUp() {
        return metrics.waitingBytes.get() > 0;
    }

    @Override
    public Prepared prepare(PublishMessage message, RoutingPlan plan, @Nullable MessageName name) {
        NodeRecipients nodes = plan.nodes();
        RemoteNode[] to = new RemoteNode[nodes.count()];
        ForwardFrame.Envelope[] envelopes = new ForwardFrame.Envelope[to.length];
        for (int i = 0; i < to.length; i++) {
            to[i] = nodes.node(i);
            // Read after the routing: the message reaches those that have connected since only through another node.
            long latest = nodes.persistent(i) == 0 ? 0 : connects.known(to[i]);
            boolean isNamed = (nodes.purposes(i) & NodeRecipients.SUBSCRIBERS) != 0;
            envelopes[i] = new ForwardFrame.Envelope(
                    nodes.purposes(i), nodes.persistent(i), latest, isNamed ? name : null, nodes.groups(i));
        }
        int lane = lane(message) - 1;
        return () -> send(message, lane, to, envelopes);
    }

    /** The lane of the calling event loop; for other threads, which publish few messages, that of the publisher. */
    private int lane(PublishMessage message) {
        for (int i = 0; i < eventLoops.size(); i++) {
            if (eventLoops.get(i).isCurrent()) {
                return links.dataLane(i);
            }
        }
        return links.dataLane(Math.floorMod(message.publisher().hashCode(), links.dataLanes()));
    }

    private @Nullable Receipts send(
            PublishMessage message, int lane, RemoteNode[] to, ForwardFrame.Envelope[] envelopes) {
        byte[] encoded = ForwardFrame.encode(message, clock.millis());
        Receipts receipts = null;
        metrics.ledger.add(Flow.FORWARDED, to.length);
        for (int i = 0; i < to.length; i++) {
            ForwardLane[] ofNode = lanes.get(to[i]);
            if (message.qos() == QoS.AT_MOST_ONCE || (envelopes[i].purposes() & NodeRecipients.ACKNOWLEDGED) == 0) {
                if (ofNode == null) {
                    metrics.unreachable(1);
                } else {
                    ofNode[lane].send(envelopes[i], encoded);
                }
                continue;
            }
            receipts = receipts == null ? new Receipts() : receipts;
            if (ofNode == null || !ofNode[lane].send(envelopes[i], message, encoded, receipts)) {
                receipts.expect();
                metrics.expectsReceipt();
                onUndelivered(List.of(ForwardLane.Numbered.of(0, envelopes[i], message, receipts)), true);
            }
        }
        if (isHeldUp()) {
            sendAgain();
        }
        return receipts;
    }

    private void sendAgain() {
        if (isSendingAgain.compareAndSet(false, true)) {
            timers.execute(() -> timers.schedule(SEND_AGAIN, this::sendWaiting));
        }
    }

    private void sendWaiting() {
        isSendingAgain.set(false);
        boolean isLeft = false;
        for (ForwardLane[] ofNode : lanes.values()) {
            for (ForwardLane lane : ofNode) {
                isLeft |= lane.sendWaiting(clock.millis());
            }
        }
        if (isLeft) {
            sendAgain();
        }
    }

    private void onReceipt(Incarnation from, byte[] payload) {
        ForwardFrame.Receipt receipt;
        try {
            receipt = ForwardFrame.decodeReceipt(payload);
        } catch (MalformedFrameException e) {
            malformed.increment();
            FailureLog.warn(log, "Dropped a malformed receipt of another node: node=" + from, e);
            return;
        }
        ForwardLane[] ofNode = lanes.get(new RemoteNode(from));
        if (ofNode != null && receipt.lane() >= 1 && receipt.lane() <= ofNode.length) {
            onConfirmed(ofNode[receipt.lane() - 1].confirm(receipt.number()), receipt.returned());
        }
    }

    private void onConfirmed(List<ForwardLane.Numbered> confirmed, List<ForwardFrame.Returned> without) {
        metrics.confirmed(confirmed.size());
        List<ReturnedMessages.Returned> again = new ArrayList<>(without.size());
        Iterator<ForwardFrame.Returned> rest = without.iterator();
        ForwardFrame.@Nullable Returned next = rest.hasNext() ? rest.next() : null;
        for (ForwardLane.Numbered message : confirmed) {
            if (next != null && next.number() == message.number()) {
                addReturned(message, next.filters(), again);
                next = rest.hasNext() ? rest.next() : null;
            } else {
                message.receipts().onGiven();
            }
        }
        returned.add(again, ReturnedMessages.DELAY);
    }

    /** The publisher waits for the members of these shared subscriptions instead. */
    private static void addReturned(
            ForwardLane.Numbered message, List<TopicFilter> filters, List<ReturnedMessages.Returned> again) {
        Receipts receipts = message.receipts();
        PublishMessage returned = requireNonNull(message.message(), "a message of a shared subscription");
        for (int i = 0; i < filters.size(); i++) {
            if (i > 0) {
                receipts.expect();
            }
            again.add(new ReturnedMessages.Returned(returned, filters.get(i), receipts::onGiven));
        }
    }

    /** A node has ended before it confirmed some messages. */
    private void onUndelivered(List<ForwardLane.Numbered> messages, boolean isUnsent) {
        List<ReturnedMessages.Returned> again = new ArrayList<>(messages.size());
        for (ForwardLane.Numbered each : messages) {
            ForwardFrame.Envelope envelope = each.envelope();
            PublishMessage message = each.message();
            boolean isPassedOn = message != null && (isUnsent || message.qos() != QoS.EXACTLY_ONCE);
            if (isPassedOn) {
                addReturned(each, envelope.sharedFilters(), again);
            } else {
                each.receipts().onGiven();
            }
            if (isPassedOn && !envelope.isForOthers()) {
                metrics.confirmed(1);
            } else {
                metrics.unconfirmed(1);
            }
        }
        returned.add(again, Duration.ZERO);
    }

    @Override
    public void onJoined(RemoteNode node) {
        ForwardLane[] ofNode = new ForwardLane[links.dataLanes()];
        for (int i = 0; i < ofNode.length; i++) {
            ofNode[i] = new ForwardLane(node, i + 1, links, memory, metrics);
        }
        lanes.put(node, ofNode);
    }

    @Override
    public void onEnded(RemoteNode node) {
        ForwardLane[] ofNode = lanes.remove(node);
        if (ofNode != null) {
            for (ForwardLane lane : ofNode) {
                ForwardLane.Rest rest = lane.end();
                onUndelivered(rest.sent(), false);
                onUndelivered(rest.unsent(), true);
            }
        }
    }
}

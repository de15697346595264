package io.heddle.core.delivery.node;

import io.heddle.core.FailureLog;
import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.link.LinkListener;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.routing.NodeRecipients;
import io.heddle.core.routing.Router;
import io.heddle.core.routing.RoutingPlan;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the messages of other nodes to sessions of this node, on the event loop of their lane. Thread-safe.
 *
 * <p>A receipt says that the messages are queued on the event loops of their sessions; it does not wait for clients. While an event loop
 * lags behind by more than the limit of {@link DirectDelivery}, no receipts are given, so that the publishers of the other nodes pause. A
 * receipt also returns the messages of shared subscriptions of which this node has no member any more. Without a receipt, they are dropped.
 */
@HotPath
public final class ForwardReceiver implements LinkListener {
    private static final Logger log = LoggerFactory.getLogger(ForwardReceiver.class);
    private static final Duration TRY_AGAIN = Duration.ofMillis(5);

    private final List<EventLoop> eventLoops;
    private final NodeLinks links;
    private final Router router;
    private final DirectDelivery direct;
    private final MessageNames names;
    private final SteadyClock clock;
    private final Counter received;
    private final Counter malformed;
    private final Counter noMember;
    private final Counter disconnected;
    // By the number of the lane; the other node may have more lanes than this one.
    private final Map<Incarnation, Map<Integer, ReceiptLane>> lanes = new ConcurrentHashMap<>();

    /** A receiver that gets no messages yet. */
    public ForwardReceiver(
            List<EventLoop> eventLoops,
            NodeLinks links,
            Router router,
            DirectDelivery direct,
            MessageNames names,
            SteadyClock clock,
            MeterRegistry metrics) {
        this.eventLoops = List.copyOf(eventLoops);
        this.links = links;
        this.router = router;
        this.direct = direct;
        this.names = names;
        this.clock = clock;
        this.received = metrics.counter("heddle.forwards.received");
        this.malformed = metrics.counter("heddle.cluster.frames.malformed", "of", "messages");
        this.noMember = metrics.counter("heddle.messages.dropped", "reason", "no_group_member");
        this.disconnected = metrics.counter("heddle.messages.dropped", "reason", "disconnected");
    }

    /** Sets the receiver of messages. Before the node joins the cluster. */
    public void start() {
        links.receive(
                ForwardFrame.MESSAGE, ForwardFrame.MESSAGE, (from, lane, _, payload) -> onFrame(from, lane, payload));
        links.watch(this);
    }

    @Override
    public void onEnded(Incarnation incarnation) {
        lanes.remove(incarnation);
    }

    private void onFrame(Incarnation from, int lane, byte[] payload) {
        ForwardFrame.Forwarded forwarded;
        try {
            forwarded = ForwardFrame.decode(payload, clock.millis());
        } catch (MalformedFrameException e) {
            malformed.increment();
            FailureLog.warn(log, "Dropped a malformed message of another node: node=" + from, e);
            return;
        }
        received.increment();
        deliver(forwarded, from, lane);
    }

    private void deliver(ForwardFrame.Forwarded forwarded, Incarnation from, int lane) {
        PublishMessage message = forwarded.message();
        RoutingPlan plan =
                router.routeForwarded(message, purposes(forwarded), forwarded.persistent(), forwarded.connectNumber());
        if (plan.away() > 0) {
            disconnected.increment(plan.away());
        }
        List<TopicFilter> withoutMember = new ArrayList<>(0);
        for (int i = 0; i < forwarded.groups().size(); i++) {
            TopicFilter sharedFilter = forwarded.groups().get(i);
            if (!router.addMember(plan, sharedFilter)) {
                withoutMember.add(sharedFilter);
            }
        }
        for (int i = 0; i < plan.loopCount(); i++) {
            direct.receive(message, plan.onLoop(i));
        }
        if (forwarded.number() == ForwardFrame.NO_NUMBER) {
            noMember.increment(withoutMember.size());
            return;
        }
        ReceiptLane receipts = receipts(from, lane);
        if (receipts.handedOver(forwarded.number(), withoutMember)) {
            sendSoon(receipts, from, lane);
        }
    }

    /** Subscribers that have got the message from another node, or before it was repeated, do not get it again. */
    private int purposes(ForwardFrame.Forwarded forwarded) {
        MessageName name = forwarded.name();
        boolean isNew = name == null || names.claim(name);
        return isNew ? forwarded.purposes() : forwarded.purposes() & ~NodeRecipients.SUBSCRIBERS;
    }

    private ReceiptLane receipts(Incarnation from, int lane) {
        return lanes.computeIfAbsent(from, _ -> new ConcurrentHashMap<>())
                .computeIfAbsent(lane, _ -> new ReceiptLane());
    }

    /** The event loop of the caller, or another one. */
    private EventLoop loop(int fallback) {
        for (int i = 0; i < eventLoops.size(); i++) {
            if (eventLoops.get(i).isCurrent()) {
                return eventLoops.get(i);
            }
        }
        return eventLoops.get(fallback % eventLoops.size());
    }

    /** Sends one receipt for the messages that the event loop takes in one turn. */
    private void sendSoon(ReceiptLane receipts, Incarnation to, int lane) {
        EventLoop eventLoop = loop(lane);
        eventLoop.execute(() -> sendReceipt(eventLoop, receipts, to, lane));
    }

    private void sendReceipt(EventLoop eventLoop, ReceiptLane receipts, Incarnation to, int lane) {
        boolean isLeft = true;
        while (isLeft && direct.hasRoom()) {
            ForwardFrame.Receipt receipt = receipts.next(lane);
            if (!links.send(to, NodeLinks.CONTROL, ForwardFrame.RECEIPT, ForwardFrame.encode(receipt))) {
                break;
            }
            isLeft = receipts.sent(receipt);
        }
        if (isLeft && lanes.containsKey(to)) {
            eventLoop.schedule(TRY_AGAIN, () -> sendReceipt(eventLoop, receipts, to, lane));
        }
    }
}

package io.heddle.transport.link;

import io.heddle.core.FailureLog;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.link.LinkListener;
import io.heddle.core.link.NodeLinks;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link from this node to one member: its lanes and its state. Confined to the event loop of the control lane, except where noted.
 * States: down ↔ up, and ended from both. Bound: one {@link SendBudget} for control frames and one for data.
 */
final class PeerLink {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

    private final Member member;
    private final EventLoop loop;
    private final SendBudget control;
    private final SendBudget data;
    private final Consumer<Consumer<LinkListener>> listeners;
    private final List<OutboundLane> lanes = new ArrayList<>();
    private volatile boolean up;
    // Confined to the event loop.
    private int open;
    private boolean ended;
    private boolean reported;

    /** Opens a lane. */
    @FunctionalInterface
    interface Opener {
        OutboundLane open(int lane, SendBudget budget, OutboundLane.Listener listener);
    }

    /**
     * A link whose lanes connect at once.
     *
     * @param loop the event loop of the control lane
     * @param listeners passes a call to all listeners
     */
    PeerLink(
            Member member,
            EventLoop loop,
            LinkSettings settings,
            int dataLanes,
            Opener opener,
            Consumer<Consumer<LinkListener>> listeners) {
        this.member = member;
        this.loop = loop;
        this.listeners = listeners;
        this.control = new SendBudget(settings.maximumUnacknowledgedBytes());
        this.data = new SendBudget(settings.maximumUnacknowledgedBytes());
        for (int lane = NodeLinks.CONTROL; lane <= dataLanes; lane++) {
            lanes.add(opener.open(lane, budget(lane), new LaneState()));
        }
        lanes.forEach(OutboundLane::start);
    }

    private SendBudget budget(int lane) {
        return lane == NodeLinks.CONTROL ? control : data;
    }

    /** Sends a frame. Any thread. */
    boolean send(int lane, int kind, byte[] payload) {
        return lanes.get(lane).send(kind, payload);
    }

    /** Returns whether a frame would be accepted now. Any thread. */
    boolean hasRoomFor(int lane, int bytes) {
        return budget(lane).hasRoomFor((long) bytes + SendBudget.FRAME_OVERHEAD);
    }

    /** Returns whether all lanes are connected. Any thread. */
    boolean isUp() {
        return up;
    }

    /** Returns for how long the peer has answered nothing on one of the lanes. Any thread. */
    long silentNanos() {
        return lanes.stream().mapToLong(OutboundLane::silentNanos).max().orElse(0);
    }

    /** Returns the unacknowledged bytes. Any thread. */
    long unacknowledgedBytes() {
        return control.used() + data.used();
    }

    private Incarnation incarnation() {
        return member.incarnation();
    }

    /** Passes the changes of a lane from its own event loop to that of the control lane. */
    private final class LaneState implements OutboundLane.Listener {
        @Override
        public void onOpen() {
            loop.execute(PeerLink.this::onLaneOpen);
        }

        @Override
        public void onLost(@Nullable Throwable cause) {
            loop.execute(() -> onLaneLost(cause));
        }

        @Override
        public void onSelfEnded() {
            loop.execute(PeerLink.this::onSelfEnded);
        }

        @Override
        public void onNotOpened(@Nullable Throwable cause) {
            loop.execute(() -> onLaneNotOpened(cause));
        }
    }

    private void onLaneOpen() {
        open++;
        if (open == lanes.size() && !ended) {
            up = true;
            reported = false;
            LOG.info("The link to a node is up: {}", description());
            listeners.accept(each -> each.onUp(incarnation()));
        }
    }

    private void onLaneLost(@Nullable Throwable cause) {
        open--;
        if (up && !ended) {
            goDown();
            reported = true;
            FailureLog.warn(LOG, "The link to a node is lost; connecting again: " + description(), cause);
        }
    }

    private void onSelfEnded() {
        if (!ended) {
            listeners.accept(each -> each.onSelfEnded(incarnation()));
        }
    }

    private void onLaneNotOpened(@Nullable Throwable cause) {
        if (!reported && !ended && cause != null) {
            reported = true;
            FailureLog.warn(LOG, "Cannot connect to a node; trying again: " + description(), cause);
        }
    }

    private void goDown() {
        up = false;
        listeners.accept(each -> each.onDown(incarnation()));
    }

    private String description() {
        return "nodeId=" + member.node().id() + ", incarnation=" + incarnation() + ", address="
                + member.node().link().address();
    }

    /**
     * Ends the link because the incarnation has ended. Any thread; once.
     *
     * @param noneReceived completes when no frame of the incarnation is being handled
     */
    void end(CompletionStage<?> noneReceived) {
        var _ = stop();
        noneReceived.thenRun(() -> loop.execute(() -> {
            ended = true;
            if (up) {
                goDown();
            }
            listeners.accept(each -> each.onEnded(incarnation()));
        }));
    }

    /**
     * Ends the lanes, as when this node stops; no listener is called. Any thread.
     *
     * @return completes when they no longer use their event loops
     */
    CompletableFuture<?> stop() {
        return CompletableFuture.allOf(
                lanes.stream().map(each -> each.end().toCompletableFuture()).toArray(CompletableFuture[]::new));
    }
}

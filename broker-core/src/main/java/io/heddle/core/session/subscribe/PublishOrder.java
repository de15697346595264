package io.heddle.core.session.subscribe;

import io.heddle.core.HotPath;
import io.heddle.core.backpressure.Inflow;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.outbound.SessionMetrics;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a PUBLISH behind the SUBSCRIBE and UNSUBSCRIBE packets that its connection has sent before: while one of them is unanswered, not all
 * nodes are known to route with its changes, and the message, or an answer to it, could miss a new subscription. Owned by the event loop of the
 * connection.
 *
 * <p>States: answered ⇄ unanswered → holding one PUBLISH, while the connection is not read, so everything behind it waits, too → late, after
 * {@value #LIMIT_MILLIS} ms: PUBLISH packets take effect at once until all packets are answered. Bound: one packet.
 */
@HotPath
public final class PublishOrder {
    private static final int LIMIT_MILLIS = 1_000;
    private static final Duration LIMIT = Duration.ofMillis(LIMIT_MILLIS);

    private final EventLoop eventLoop;
    private final Inflow inflow;
    private final MemoryBudget memory;
    private final Consumer<PublishPacket> publishes;
    private final SessionMetrics metrics;
    private int unanswered;
    private boolean late;
    private @Nullable PublishPacket held;
    private EventLoop.@Nullable Timer limit;

    /** @param publishes receives each held packet in its turn, which is not the turn in which it arrived */
    public PublishOrder(
            EventLoop eventLoop,
            Inflow inflow,
            MemoryBudget memory,
            Consumer<PublishPacket> publishes,
            SessionMetrics metrics) {
        this.eventLoop = eventLoop;
        this.inflow = inflow;
        this.memory = memory;
        this.publishes = publishes;
        this.metrics = metrics;
    }

    /** A SUBSCRIBE or UNSUBSCRIBE is going to be answered. */
    void begin() {
        unanswered++;
    }

    /** A SUBSCRIBE or UNSUBSCRIBE is answered within this turn, or its changes have failed. */
    void end() {
        unanswered--;
        if (unanswered == 0) {
            late = false;
            if (held != null) {
                // After SUBACK or UNSUBACK, which the caller sends.
                eventLoop.execute(this::release);
            }
        }
    }

    /**
     * Holds a packet until the packets before it are answered; returns false if it may take effect at once, or if there is no memory to
     * hold it.
     */
    public boolean tryHold(PublishPacket packet) {
        if (unanswered == 0 || late) {
            return false;
        }
        if (!memory.tryCharge(packet.payload().length())) {
            metrics.publishesHeldTooLong.increment();
            return false;
        }
        held = packet;
        inflow.pause();
        limit = eventLoop.schedule(LIMIT, this::expire);
        metrics.publishesHeld.increment();
        return true;
    }

    /** Returns whether a packet is held. */
    public boolean isHolding() {
        return held != null;
    }

    private void expire() {
        late = unanswered > 0;
        metrics.publishesHeldTooLong.increment();
        release();
    }

    /** Passes the held packet on, if there is one. */
    public void release() {
        PublishPacket next = held;
        if (next == null) {
            return;
        }
        held = null;
        memory.release(next.payload().length());
        if (limit != null) {
            limit.cancel();
        }
        publishes.accept(next);
        inflow.resume();
    }
}

package io.heddle.core.session.subscribe;

import io.heddle.core.backpressure.Inflow;
import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.quota.AppendAdmission;
import java.util.function.Consumer;

/**
 * The SUBSCRIBE and UNSUBSCRIBE packets of one connection, which are processed in their order. Owned by the connection's event loop. The
 * packets of a persistent session, whose changes are written to the log, need {@link AppendAdmission}; a packet may wait for it. Those of
 * other sessions wait until the other nodes know them. A PUBLISH waits behind them ({@link PublishOrder}).
 *
 * <p>Bound: while waiting and unwritten packets hold more than the limit, the connection is not read. A packet for which there is no room
 * to wait, or with too many filters, is refused: SUBSCRIBE with an error for each of its filters, UNSUBSCRIBE by closing the connection,
 * because UNSUBACK has no suitable reason code.
 */
public final class InboundSubscriptions {
    /** The memory of a filter and its record until they are written, without the texts. */
    private static final int CHANGE_BYTES = 512;

    private final SessionHandle session;
    private final Connection connection;
    private final Inflow inflow;
    private final SubscribeService service;
    private final PublishOrder order;
    private final long limitBytes;
    private long bytes;
    private int waiting;
    private boolean paused;

    /** @param order of the connection */
    public InboundSubscriptions(
            SessionHandle session, Connection connection, Inflow inflow, SubscribeService service, PublishOrder order) {
        this.session = session;
        this.connection = connection;
        this.inflow = inflow;
        this.service = service;
        this.order = order;
        this.limitBytes = service.admission().clientLimitBytes();
    }

    /** Returns what a PUBLISH waits for. */
    public PublishOrder order() {
        return order;
    }

    /** A SUBSCRIBE packet has arrived. */
    public void subscribe(SubscribePacket packet) {
        if (service.exceedsPacket(packet.requests().size())) {
            service.refuse(session, connection, packet, service.packetLimit());
            return;
        }
        long cost = 0;
        for (SubscriptionRequest request : packet.requests()) {
            cost += cost(request.topicFilter());
        }
        if (session.persistent() == null) {
            long held = cost;
            begin(held);
            service.subscribe(session, connection, packet, () -> end(held));
            return;
        }
        request(
                cost,
                completed -> service.subscribe(session, connection, packet, completed),
                () -> service.refuse(
                        session, connection, packet, service.admission().waitingLimit()));
    }

    public void unsubscribe(UnsubscribePacket packet) {
        if (service.exceedsPacket(packet.topicFilters().size())) {
            throw new ProtocolException(
                    ReasonCode.QUOTA_EXCEEDED,
                    "UNSUBSCRIBE has more filters than a client may have",
                    service.packetLimit());
        }
        if (session.persistent() == null) {
            service.unsubscribe(session, connection, packet, InboundSubscriptions::nothing);
            return;
        }
        long cost = 0;
        for (String topicFilter : packet.topicFilters()) {
            cost += cost(topicFilter);
        }
        request(cost, completed -> service.unsubscribe(session, connection, packet, completed), () -> {
            throw new ProtocolException(
                    ReasonCode.QUOTA_EXCEEDED,
                    "the memory for pending changes of subscriptions is full",
                    service.admission().waitingLimit());
        });
    }

    private long cost(String topicFilter) {
        return CHANGE_BYTES
                + 2L * topicFilter.length()
                + session.clientId().value().length();
    }

    private static void nothing() {
        // A change that is not written holds no memory.
    }

    private void request(long cost, Consumer<Runnable> change, Runnable onRefused) {
        switch (service.admission().request(cost, waiting > 0, connection.eventLoop(), () -> admitted(cost, change))) {
            case ADMITTED -> {
                begin(cost);
                change.accept(() -> completed(cost));
            }
            case WAITING -> {
                waiting++;
                begin(cost);
            }
            case REFUSED -> onRefused.run();
        }
    }

    private void begin(long cost) {
        order.begin();
        bytes += cost;
        if (!paused && bytes >= limitBytes) {
            paused = true;
            inflow.pause();
        }
    }

    private void admitted(long cost, Consumer<Runnable> change) {
        waiting--;
        if (connection.isGone() || !session.isConnected()) {
            completed(cost);
            return;
        }
        try {
            change.accept(() -> completed(cost));
        } catch (ProtocolException refused) {
            // No caller can catch the exception: the packet arrived in an earlier turn.
            session.disconnect(refused.reason());
        } catch (RuntimeException fault) {
            session.onFault(fault);
        }
    }

    private void completed(long cost) {
        service.admission().release(cost);
        end(cost);
    }

    private void end(long cost) {
        order.end();
        bytes -= cost;
        if (paused && bytes <= limitBytes / 2) {
            paused = false;
            inflow.resume();
        }
    }
}

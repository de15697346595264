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
 * The SUBSCRIBE and UNSUBSCRIBE packets of one connection, which change the session's subscriptions in their order. Belongs to the
 * connection's event loop. The packets of a persistent session, whose changes are written to the log, need {@link
 * AppendAdmission}; a packet that waits for it is processed later.
 *
 * <p>Bound: while the packets that wait or are being written hold more than the limit, the connection is not read. A packet that
 * finds no room to wait, or names too many filters, is rejected: SUBSCRIBE with an error for each of its filters, UNSUBSCRIBE with the
 * end of the connection, as UNSUBACK has no reason code for it.
 */
public final class InboundSubscriptions {
    /** A filter and its record on their way to the log, without the texts. */
    private static final int CHANGE_BYTES = 512;

    private final SessionHandle session;
    private final Connection connection;
    private final Inflow inflow;
    private final SubscribeService service;
    private final long limitBytes;
    private long bytes;
    private int waiting;
    private boolean paused;

    public InboundSubscriptions(SessionHandle session, Connection connection, Inflow inflow, SubscribeService service) {
        this.session = session;
        this.connection = connection;
        this.inflow = inflow;
        this.service = service;
        this.limitBytes = service.admission().clientLimitBytes();
    }

    /** A SUBSCRIBE packet has arrived. */
    public void subscribe(SubscribePacket packet) {
        if (service.exceedsPacket(packet.requests().size())) {
            service.reject(connection, packet);
            return;
        }
        if (session.persistent() == null) {
            service.subscribe(session, connection, packet, InboundSubscriptions::nothing);
            return;
        }
        long cost = 0;
        for (SubscriptionRequest request : packet.requests()) {
            cost += cost(request.topicFilter());
        }
        request(
                cost,
                completed -> service.subscribe(session, connection, packet, completed),
                () -> service.reject(connection, packet));
    }

    /** An UNSUBSCRIBE packet has arrived. */
    public void unsubscribe(UnsubscribePacket packet) {
        if (service.exceedsPacket(packet.topicFilters().size())) {
            throw new ProtocolException(ReasonCode.QUOTA_EXCEEDED, "more filters in a packet than a client may have");
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
                    ReasonCode.QUOTA_EXCEEDED, "the changes of subscriptions that wait fill the memory for them");
        });
    }

    private long cost(String topicFilter) {
        return CHANGE_BYTES
                + 2L * topicFilter.length()
                + session.clientId().value().length();
    }

    private static void nothing() {
        // A change that is not written holds nothing.
    }

    private void request(long cost, Consumer<Runnable> change, Runnable rejected) {
        switch (service.admission().request(cost, waiting > 0, connection.eventLoop(), () -> admitted(cost, change))) {
            case ADMITTED -> {
                begin(cost);
                change.accept(() -> completed(cost));
            }
            case WAITING -> {
                waiting++;
                begin(cost);
            }
            case REJECTED -> rejected.run();
        }
    }

    private void begin(long cost) {
        bytes += cost;
        if (!paused && bytes >= limitBytes) {
            paused = true;
            inflow.pause();
        }
    }

    private void admitted(long cost, Consumer<Runnable> change) {
        waiting--;
        if (!connection.isOpen() || !session.isConnected()) {
            completed(cost);
            return;
        }
        try {
            change.accept(() -> completed(cost));
        } catch (ProtocolException refused) {
            // Nobody is left to catch it: the packet arrived in an earlier turn.
            session.disconnect(refused.reason());
        } catch (RuntimeException fault) {
            session.onFault(fault);
        }
    }

    private void completed(long cost) {
        service.admission().release(cost);
        bytes -= cost;
        if (paused && bytes <= limitBytes / 2) {
            paused = false;
            inflow.resume();
        }
    }
}

package io.heddle.perf.jmh;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.subscription.DeliveryCapacity;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;

/**
 * A recipient that only counts deliveries, so that only the broker's routing is measured. It writes to its own memory, as a real session
 * does.
 */
class CountingSession implements LocalSession {
    private final ClientId clientId;
    private final EventLoop eventLoop;
    private long delivered;

    CountingSession(ClientId clientId, EventLoop eventLoop) {
        this.clientId = clientId;
        this.eventLoop = eventLoop;
    }

    @Override
    public ClientId clientId() {
        return clientId;
    }

    @Override
    public DeliveryCapacity capacity() {
        return DeliveryCapacity.READY;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public void disconnect(ReasonCode reason) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean deliver(PublishMessage message, DeliveryTerms terms) {
        delivered++;
        return true;
    }

    long delivered() {
        return delivered;
    }
}

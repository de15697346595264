package io.heddle.core.testkit;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.subscription.DeliveryCapacity;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import java.util.ArrayList;
import java.util.List;

/** A fake session that records deliveries. Each instance is a different subscriber, whatever its client id. */
public final class RecordingSession implements LocalSession {
    private final ClientId clientId;
    private final EventLoop eventLoop;
    private final List<DeliveryTerms> delivered = new ArrayList<>();
    private volatile boolean connected = true;
    private volatile DeliveryCapacity capacity = DeliveryCapacity.READY;
    private int questions;

    /** Creates a connected session. */
    public RecordingSession(String clientId, EventLoop eventLoop) {
        this.clientId = new ClientId(clientId);
        this.eventLoop = eventLoop;
    }

    /** Disconnects its client. */
    public void disconnect() {
        connected = false;
    }

    /** Reconnects its client. */
    public void reconnect() {
        connected = true;
    }

    /** Sets its capacity; initially {@link DeliveryCapacity#READY}. */
    public void capacity(DeliveryCapacity now) {
        capacity = now;
    }

    /** Returns the number of queries of its connection state or capacity. */
    public int questions() {
        return questions;
    }

    /** Returns the terms of each delivery so far, in order. */
    public List<DeliveryTerms> delivered() {
        return List.copyOf(delivered);
    }

    @Override
    public ClientId clientId() {
        return clientId;
    }

    @Override
    public EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public DeliveryCapacity capacity() {
        questions++;
        return capacity;
    }

    @Override
    public boolean isConnected() {
        questions++;
        return connected;
    }

    @Override
    public boolean deliver(PublishMessage message, DeliveryTerms terms) {
        eventLoop.assertCurrent();
        delivered.add(terms);
        return true;
    }

    @Override
    public void disconnect(ReasonCode reason) {
        connected = false;
    }

    @Override
    public String toString() {
        return clientId.value();
    }
}

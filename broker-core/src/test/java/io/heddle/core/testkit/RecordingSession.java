package io.heddle.core.testkit;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.subscription.DeliveryCapacity;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import java.util.ArrayList;
import java.util.List;

/** A session that only remembers what it was handed. Each is a subscriber of its own, whatever its client id. */
public final class RecordingSession implements LocalSession {
    private final ClientId clientId;
    private final EventLoop eventLoop;
    private final List<DeliveryTerms> delivered = new ArrayList<>();
    private volatile boolean connected = true;
    private volatile DeliveryCapacity capacity = DeliveryCapacity.READY;
    private int questions;

    /** A connected session. */
    public RecordingSession(String clientId, EventLoop eventLoop) {
        this.clientId = new ClientId(clientId);
        this.eventLoop = eventLoop;
    }

    /** Its client is not connected any more. */
    public void disconnect() {
        connected = false;
    }

    /** Its client is connected again. */
    public void reconnect() {
        connected = true;
    }

    /** How it can take messages from here on; {@link DeliveryCapacity#READY} before. */
    public void capacity(DeliveryCapacity now) {
        capacity = now;
    }

    /** How often somebody asked whether its client is connected, or for its room. */
    public int questions() {
        return questions;
    }

    /** How each message was delivered so far, in order. */
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
    public String toString() {
        return clientId.value();
    }
}

package io.heddle.core.session.subscribe;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSession.PendingRetained;
import io.heddle.core.subscription.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one connected session, and the retained messages that they have still to receive. Owned by the session's event
 * loop. Parts are created when they are first used. The subscriptions of a persistent session are kept in its {@link PersistentSession},
 * and only the registrar changes them.
 */
public final class ClientSubscriptions {
    private final SessionHandle session;
    private final RetainedServices services;
    // Of a session that ends with its connection.
    private @Nullable Map<String, Subscription> own;
    private @Nullable RetainedDelivery retained;

    /** No subscriptions. */
    public ClientSubscriptions(SessionHandle session, RetainedServices services) {
        this.session = session;
        this.services = services;
    }

    /** The subscriptions by the text of their filters; not to be changed. */
    public Map<String, Subscription> byFilter() {
        PersistentSession persistent = session.persistent();
        if (persistent != null) {
            return persistent.subscriptions();
        }
        Map<String, Subscription> present = own;
        if (present == null) {
            present = HashMap.newHashMap(1);
            own = present;
        }
        return present;
    }

    /** The subscriptions of a session that ends with its connection, or null when it never had one. */
    public @Nullable Map<String, Subscription> transientSubscriptions() {
        return own;
    }

    /** A SUBSCRIBE asks for retained messages. {@link #deliverRetained} follows, unless the connection ends. */
    void expectRetained() {
        delivery().expect();
    }

    private RetainedDelivery delivery() {
        RetainedDelivery present = retained;
        if (present == null) {
            present = new RetainedDelivery(session, services);
            retained = present;
        }
        return present;
    }

    /** The session is sent a live message, without the log. */
    public void onLive(PublishMessage message) {
        if (retained != null && message.retain()) {
            retained.onLive(message);
        }
    }

    /**
     * Starts the delivery of the retained messages of subscriptions that all nodes know, except of those that were removed meanwhile.
     *
     * @param answer sends SUBACK, before the messages, when this node knows them, or if that takes long; also when the client is lost
     */
    void deliverRetained(List<Subscription> subscriptions, Runnable answer) {
        RetainedDelivery present = delivery();
        for (Subscription subscription : subscriptions) {
            if (byFilter().containsKey(subscription.topicFilter().value())) {
                present.add(subscription);
            }
        }
        present.whenKnown(answer);
    }

    /** The subscription of a filter has new options or was removed. */
    void changed(String topicFilter) {
        RetainedDelivery present = retained;
        if (present == null) {
            return;
        }
        Subscription subscription = byFilter().get(topicFilter);
        if (subscription == null) {
            present.remove(topicFilter);
        } else {
            present.replace(subscription);
        }
    }

    /** Continues the deliveries that the previous connection of a persistent session did not finish, with the next {@link #proceed}. */
    public void resume(PersistentSession persistent) {
        Map<String, PendingRetained> unfinished = persistent.takeRetained();
        if (unfinished != null) {
            retained = new RetainedDelivery(session, services, unfinished);
        }
    }

    /** Sends further retained messages if the client takes them now. */
    public void proceed() {
        if (retained != null) {
            retained.proceed();
        }
    }

    /** The client of a persistent session is disconnected: its next connection continues the deliveries. */
    public void disconnect(PersistentSession persistent) {
        if (retained != null && !retained.unfinished().isEmpty()) {
            persistent.keepRetained(retained.unfinished());
        }
    }
}

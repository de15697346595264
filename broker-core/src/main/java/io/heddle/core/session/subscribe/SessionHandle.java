package io.heddle.core.session.subscribe;

import io.heddle.core.authorization.decision.ClientRules;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.session.outbound.Outbox;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.SessionSubscriber;
import io.heddle.core.sys.SysReader;
import org.jspecify.annotations.Nullable;

/** The session of a connected client, as its subscriptions and publishes see it. Owned by the session's event loop. */
public interface SessionHandle extends LocalSession, SysReader {
    /** The part of the session that outlives the connection, or null when the session ends with the connection. */
    @Nullable
    PersistentSession persistent();

    long epoch();

    /** The rules of the client. */
    ClientRules rules();

    SessionSubscriber subscriber();

    /** The subscriptions with the delivery of their retained messages. */
    ClientSubscriptions subscriptions();

    /** The QoS 1 and 2 messages on their way to the client. */
    Outbox outbox();

    /** Sends a retained message because of a new subscription: the client sees RETAIN [MQTT-3.3.1-8]. */
    void deliverRetained(PublishMessage message, DeliveryTerms terms);

    /** The session is about to become a member of a shared subscription: other threads may ask for its capacity from now on. */
    void joinGroup();

    /** Sends what may be sent now. Called when the client has acknowledged a message or reads again. */
    void proceed();

    /** Counts and logs a bug in code of this session, and closes the connection. */
    void onFault(RuntimeException fault);
}

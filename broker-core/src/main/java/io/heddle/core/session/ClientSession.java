package io.heddle.core.session;

import io.heddle.core.FailureLog;
import io.heddle.core.HotPath;
import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.log.OutboundFeed;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.SessionRegistry.Registration;
import io.heddle.core.subscription.DeliveryCapacity;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.SessionSubscriber;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's session for as long as one connection lasts. What outlives the connection is its {@link PersistentSession}'s, if it
 * has one. Owned by the connection's event loop; every method but the plain accessors asserts it or passes the call on.
 *
 * <p>States: opening (it is found out what the client left; {@link SessionOpening}) → connected (it has a {@link ClientConnection}) →
 * ending (its many subscriptions are removed in the background; its client's next connection waits for that) → ended. Bounds: {@link SessionSettings}.
 */
@HotPath
public final class ClientSession implements LocalSession, OutboundFeed.Listener {
    private static final Logger log = LoggerFactory.getLogger(ClientSession.class);

    private static final int HELD_BYTES = 512;
    private static final CompletionStage<Void> NOTHING_TO_WAIT_FOR = CompletableFuture.completedStage(null);

    // Dependencies.
    private final SessionServices services;
    private final LocalSessions sessions;

    private final ClientIdentity identity;
    private final EventLoop eventLoop;
    private final SessionParts parts;
    private final GroupMembership groups = new GroupMembership();
    private final List<SessionClaim> waitingClaims = new ArrayList<>(0);
    private @Nullable PersistentSession persistent;
    private volatile @Nullable ClientConnection conversation;
    private boolean opened;
    private boolean ending;
    private boolean ended;

    ClientSession(ClientIdentity identity, EventLoop eventLoop, SessionServices services, LocalSessions sessions) {
        this.identity = identity;
        this.eventLoop = eventLoop;
        this.services = services;
        this.sessions = sessions;
        this.parts = new SessionParts(this, services);
    }

    @Override
    public ClientId clientId() {
        return identity.clientId();
    }

    /** Who the client is. Any thread may ask. */
    public ClientIdentity identity() {
        return identity;
    }

    @Override
    public EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public boolean isConnected() {
        return conversation != null;
    }

    @Override
    public DeliveryCapacity capacity() {
        return groups.capacity();
    }

    /** About what it costs to have it, without what it holds. */
    long heldBytes() {
        return HELD_BYTES + 2L * clientId().value().length();
    }

    /** What it holds. */
    SessionParts parts() {
        return parts;
    }

    /** What outlives the connection, or null when nothing does. */
    @Nullable
    PersistentSession persistent() {
        return persistent;
    }

    /** Who subscribes when the client does. */
    SessionSubscriber subscriber() {
        return persistent == null ? this : persistent.subscriber();
    }

    /** What its client and the broker say to each other, or null before and after. */
    @Nullable
    ClientConnection conversation() {
        return conversation;
    }

    // What a conversation asks for.

    /** The sessions of the other clients of this node. */
    LocalSessions others() {
        return sessions;
    }

    /** Whether a retained message of at most this QoS would be sent at once. */
    boolean takesRetained(QoS maximumQos) {
        ClientConnection current = conversation;
        return current != null
                && current.connection().isWritable()
                && (maximumQos == QoS.AT_MOST_ONCE || parts.takesRetained());
    }

    /** Sends what may be sent now. Called when the client has acknowledged something or reads again. */
    void proceed() {
        parts.proceed();
        roomChanged();
    }

    /** It is about to become a member of a shared subscription: from here on others may ask for its room. */
    void joinsGroups() {
        groups.begin();
        roomChanged();
    }

    private void roomChanged() {
        if (groups.isMember()) {
            groups.capacity(parts.capacity());
        }
    }

    // Messages.

    @Override
    public boolean deliver(PublishMessage message, DeliveryTerms terms) {
        eventLoop.assertCurrent();
        QoS qos = message.qos().min(terms.maximumQos());
        try {
            return deliver(message, qos, message.retain() && terms.retainAsPublished(), terms);
        } catch (RuntimeException fault) {
            // This client's trouble is neither that of the message's other recipients nor its publisher's.
            if (qos == QoS.AT_MOST_ONCE) {
                services.metrics().droppedFault.increment();
            }
            failed(fault);
            return false;
        }
    }

    /** Delivers a retained message because of a new subscription: the client sees RETAIN [MQTT-3.3.1-8]. */
    void deliverRetained(PublishMessage message, DeliveryTerms terms) {
        QoS qos = message.qos().min(terms.maximumQos());
        if (persistent != null && qos != QoS.AT_MOST_ONCE) {
            parts.enqueueRetained(persistent, message, qos, terms);
        } else if (deliver(message, qos, true, terms)) {
            services.metrics().delivered.increment();
        }
    }

    private boolean deliver(PublishMessage message, QoS qos, boolean retain, DeliveryTerms terms) {
        boolean delivered = false;
        ClientConnection current = conversation;
        if (current == null) {
            if (!new SharedRedelivery(services).takeOver(message, qos, terms)) {
                services.metrics().droppedDisconnected.increment();
            }
        } else if (qos == QoS.AT_MOST_ONCE) {
            delivered = current.deliver(message, retain, terms.subscriptionIdentifiers());
        } else {
            parts.deliver(new Outgoing(message, qos, retain, terms));
        }
        roomChanged();
        return delivered;
    }

    @Override
    public void feedReady() {
        proceed();
    }

    @Override
    public void feedLost(ReasonCode code, String reason) {
        log.info("clientId={} is disconnected: {}", clientId(), reason);
        lose(code);
    }

    /** Ends the connection: the session can't go on with it. */
    void lose(ReasonCode reason) {
        ClientConnection current = conversation;
        if (current != null) {
            current.end(reason);
        }
    }

    // Connections.

    /** A client's connection wants its session. Any thread may call; the owner decides. */
    void claim(SessionClaim claim) {
        if (!eventLoop.isCurrent()) {
            eventLoop.execute(() -> claim(claim));
            return;
        }
        if (ended) {
            again(claim);
        } else if (!opened || ending) {
            waitingClaims.add(claim);
        } else if (claim.isOver()) {
            claim.abandoned();
        } else if (!claim.identity().mayReplaceSessionOf(identity.userName())) {
            claim.refusedToOtherUser();
        } else {
            ClientConnection current = conversation;
            if (current != null) {
                services.metrics().takenOver.increment();
                current.takenOver();
            }
            again(claim);
        }
    }

    /** This session is over: the claim is for the next. */
    private void again(SessionClaim claim) {
        claim.eventLoop().execute(() -> sessions.claim(claim));
    }

    /** Finds out what the client left, and answers the claim. */
    void open(SessionClaim claim) {
        new SessionOpening(this, claim, services).begin();
    }

    /** All is known that the client left. */
    void opened(
            SessionClaim claim,
            @Nullable PersistentSession resumed,
            @Nullable Registration registered,
            boolean present) {
        opened = true;
        persistent = resumed;
        if (resumed != null && registered != null) {
            parts.open(resumed, registered);
        }
        claim.granted(this, present);
        answerWaitingClaims();
    }

    /** The session is not opened for the client that claims it. The claim is answered after the session has ended. */
    void notOpened(Runnable answer) {
        end();
        answer.run();
        answerWaitingClaims();
    }

    private void answerWaitingClaims() {
        List<SessionClaim> waited = List.copyOf(waitingClaims);
        waitingClaims.clear();
        for (SessionClaim claim : waited) {
            claim(claim);
        }
    }

    /** The session and its client's connection are together. Called before CONNACK is sent. */
    void attach(ClientConnection connected) {
        eventLoop.assertCurrent();
        conversation = connected;
        sessions.connected();
        if (persistent != null) {
            persistent.subscriber().connection(this);
            services.subscribeService().connectionChanged(persistent);
            joinsGroups();
        }
    }

    /** CONNACK was sent: sends what waits. */
    void beginSending() {
        parts.beginSending();
    }

    /**
     * The connection is gone. A will that is still due, for which nothing is charged any more, is published now, or
     * after its delay.
     *
     * @return completes when the session's end, or its record without its client, is durable; at once when nothing outlives the
     *     connection
     */
    CompletionStage<Void> detach(@Nullable WillMessage due, long expirySeconds) {
        eventLoop.assertCurrent();
        PersistentSession outlives = persistent;
        conversation = null;
        sessions.disconnected();
        log.debug("clientId={} is gone", clientId());
        BackgroundWork rest = null;
        if (outlives == null) {
            rest = parts.end();
        } else {
            outlives.subscriber().connection(null);
            services.subscribeService().connectionChanged(outlives);
            parts.leave(outlives, expirySeconds);
        }
        CompletionStage<Void> written = NOTHING_TO_WAIT_FOR;
        if (outlives == null) {
            if (due != null) {
                services.wills().publish(clientId(), due);
            }
        } else if (expirySeconds > 0 || due != null || outlives.isQueuedMember()) {
            // One that ends now ends when its will and its messages are elsewhere.
            written = services.wills().connectionLost(outlives, expirySeconds, due);
        } else if (outlives.hasManySubscriptions()) {
            CompletableFuture<Void> later = new CompletableFuture<>();
            written = later;
            rest = () -> {
                end(outlives).whenComplete((_, _) -> later.complete(null));
                return false;
            };
        } else {
            written = end(outlives);
        }
        if (rest == null) {
            end();
        } else {
            endInBackground(rest);
        }
        return written;
    }

    private void endInBackground(BackgroundWork rest) {
        ending = true;
        eventLoop.inBackground(() -> {
            if (rest.step()) {
                return true;
            }
            end();
            answerWaitingClaims();
            return false;
        });
    }

    private CompletionStage<Void> end(PersistentSession outlives) {
        CompletionStage<Void> written = services.persistent().end(outlives);
        written.whenComplete((_, failure) -> {
            if (failure != null) {
                FailureLog.warn(
                        log, "clientId=" + clientId() + ": the end of its session could not be written", failure);
            }
        });
        return written;
    }

    /** A bug struck while the session was at work: its client's connection, if there is one, ends. */
    void failed(RuntimeException fault) {
        services.metrics().faults.increment();
        log.error("A bug closed the connection of clientId={}: please report it with its stack", clientId(), fault);
        ClientConnection current = conversation;
        if (current != null) {
            current.fail();
        }
    }

    private void end() {
        ended = true;
        sessions.remove(this);
    }
}

package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.quota.MemoryAccount;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.Room;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's session: what the broker keeps for it between its first connection and the end of the session, which may come with
 * the end of a connection or long after. Owned by the event loop of its connection, or of its last one while the client is
 * away; every method but the plain accessors asserts it or passes the call on.
 *
 * <p>States: connected (it has a {@link Conversation}) ⇄ absent (waits for its client, its will, its expiry) ⇄ moving (from one
 * event loop to that of the client's next connection); ended. Bounds: {@link SessionSettings}. What it holds is made with first
 * use: a session that only exists costs little.
 */
@HotPath
public final class ClientSession implements LocalSession {
    private static final Logger log = LoggerFactory.getLogger(ClientSession.class);

    // Dependencies.
    private final SessionServices services;
    private final LocalSessions sessions;

    // Of the session.
    private final ClientId clientId;
    private final MemoryAccount memory;
    private volatile ClientIdentity identity;
    private volatile EventLoop eventLoop;
    private final SessionParts parts;
    private boolean ended;
    private final GroupMembership groups = new GroupMembership();

    // Of the connection.
    private volatile @Nullable Conversation conversation;

    // Of the time between connections.
    private @Nullable Absence absence;
    private @Nullable DueWill will;
    private @Nullable SessionMove move;

    ClientSession(ClientIdentity identity, EventLoop eventLoop, SessionServices services, LocalSessions sessions) {
        this.clientId = identity.clientId();
        this.memory = new MemoryAccount(services.memory());
        this.identity = identity;
        this.eventLoop = eventLoop;
        this.services = services;
        this.sessions = sessions;
        this.parts = new SessionParts(this, services);
    }

    @Override
    public ClientId clientId() {
        return clientId;
    }

    /** Who the client is, as its last connection established it. Any thread may ask. */
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
    public Room room() {
        return groups.room();
    }

    // What a conversation asks for.

    /** What it holds of the node's. */
    MemoryAccount memory() {
        return memory;
    }

    /** What it holds. */
    SessionParts parts() {
        return parts;
    }

    /** What its client and the broker say to each other now, or null while the client is away. */
    @Nullable
    Conversation conversation() {
        return conversation;
    }

    /** Whether a retained message of at most this QoS would be sent at once. */
    boolean takesRetained(QoS maximumQos) {
        Conversation current = conversation;
        return current != null
                && current.connection().isWritable()
                && (maximumQos == QoS.AT_MOST_ONCE || parts.isIdle());
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
        if (!groups.isMember()) {
            return;
        }
        groups.room(parts.room());
    }

    private void connectionChanged() {
        if (groups.isMember()) {
            parts.connectionChanged();
        }
    }

    // Messages.

    @Override
    public boolean deliver(PublishMessage message, DeliveryTerms terms) {
        if (!eventLoop.isCurrent()) {
            passOn(message, terms);
            return false;
        }
        if (move != null) {
            // What was sent to the old loop comes first.
            move.hold(message, terms);
            return false;
        }
        return deliverNow(message, terms);
    }

    private boolean deliverNow(PublishMessage message, DeliveryTerms terms) {
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

    /** The session moved to another loop after the message was sent here. */
    private void passOn(PublishMessage message, DeliveryTerms terms) {
        eventLoop.execute(() -> {
            if (eventLoop.isCurrent()) {
                countDelivered(deliverNow(message, terms));
            } else {
                passOn(message, terms);
            }
        });
    }

    /** Delivers what a move held up: nobody else counts it any more. */
    void deliverLate(PublishMessage message, DeliveryTerms terms) {
        countDelivered(deliver(message, terms));
    }

    private void countDelivered(boolean delivered) {
        if (delivered) {
            services.metrics().delivered.increment();
        }
    }

    /** Delivers a retained message because of a new subscription: the client sees RETAIN [MQTT-3.3.1-8]. */
    void deliverRetained(PublishMessage message, DeliveryTerms terms) {
        countDelivered(deliver(message, message.qos().min(terms.maximumQos()), true, terms));
    }

    private boolean deliver(PublishMessage message, QoS qos, boolean retain, DeliveryTerms terms) {
        boolean delivered = false;
        Conversation current = conversation;
        if (qos != QoS.AT_MOST_ONCE && !ended) {
            parts.outbound().deliver(new Outgoing(message, qos, retain, terms), eventLoop);
        } else if (current != null) {
            delivered = current.deliver(message, retain, terms.subscriptionIdentifiers());
        } else if (!new SharedRedelivery(services).takeOver(message, qos, terms)) {
            services.metrics().droppedDisconnected.increment();
        }
        roomChanged();
        return delivered;
    }

    // Connections.

    /** A client's connection wants this session. Any thread may call; the owner decides. */
    void claim(SessionClaim claim) {
        EventLoop owner = eventLoop;
        if (!owner.isCurrent()) {
            owner.execute(() -> claim(claim));
            return;
        }
        if (ended) {
            claim.eventLoop().execute(() -> sessions.claim(claim));
            return;
        }
        if (move != null) {
            move.hold(claim);
            return;
        }
        if (claim.isOver()) {
            claim.abandoned();
            return;
        }
        Conversation current = conversation;
        if (current != null) {
            services.metrics().takenOver.increment();
            current.takenOver();
        }
        if (ended || claim.cleanStart() || !claim.isSameUser(identity)) {
            end();
            claim.eventLoop().execute(() -> sessions.claim(claim));
        } else if (claim.eventLoop().equals(owner)) {
            resume(claim);
        } else {
            moveTo(claim, owner);
        }
    }

    private void moveTo(SessionClaim claim, EventLoop owner) {
        endAbsence();
        parts.leaveLoop();
        SessionMove begun = new SessionMove(this, claim);
        move = begun;
        // From here on the session belongs to the other loop.
        eventLoop = claim.eventLoop();
        begun.begin(owner);
    }

    /** The move is over; on the new loop. */
    void moved(SessionClaim claim) {
        eventLoop.assertCurrent();
        move = null;
        resume(claim);
    }

    private void resume(SessionClaim claim) {
        endAbsence();
        if (will != null) {
            // The client is back in time [MQTT-3.1.3-9].
            will.forget();
            will = null;
        }
        // It is who it is now: the same user, but its credentials may have changed.
        identity = claim.identity();
        claim.granted(this, true);
    }

    /** The session and its client's connection are together. Called before CONNACK is sent. */
    void attach(Conversation connected) {
        eventLoop.assertCurrent();
        conversation = connected;
        parts.enterLoop(eventLoop);
        memory.clientBack();
        memory.adopt(connected.willBytes());
        sessions.connected();
        connectionChanged();
    }

    /** CONNACK was sent: sends what the client has not acknowledged. */
    void resumeSending(Conversation connected) {
        parts.resume(connected);
        roomChanged();
    }

    /**
     * The connection is gone. A will that is still due is published now, or after its delay.
     *
     * @param takenOver whether the client is back already, so that nothing has to fit what absent clients may hold
     */
    void detach(@Nullable WillMessage due, long expirySeconds, boolean takenOver) {
        eventLoop.assertCurrent();
        conversation = null;
        sessions.disconnected();
        parts.detach();
        DueWill dueWill = due == null ? null : new DueWill(due, clientId, memory, services);
        will = dueWill;
        log.debug("clientId={} is gone", clientId);
        if (expirySeconds == 0) {
            end();
            return;
        }
        roomChanged();
        connectionChanged();
        if (!takenOver) {
            memory.clientGone();
        }
        long delaySeconds = dueWill == null ? 0 : dueWill.delaySeconds();
        Runnable willDue = delaySeconds == 0 || dueWill == null ? null : dueWill::publish;
        absence = new Absence(eventLoop, delaySeconds, willDue, expirySeconds, this::expired);
        if (delaySeconds == 0) {
            publishWill();
        }
        parts.fitAbsence();
        roomChanged();
    }

    /** A bug struck while the session was at work: its client's connection, if there is one, ends. */
    void failed(RuntimeException fault) {
        services.metrics().faults.increment();
        log.error("A bug closed the connection of clientId={}: please report it with its stack", clientId, fault);
        Conversation current = conversation;
        if (current != null) {
            current.fail();
        }
    }

    private void publishWill() {
        if (will != null) {
            will.publish();
            will = null;
        }
    }

    private void expired() {
        services.metrics().sessionsExpired.increment();
        log.debug("clientId={} has not come back: its session has expired", clientId);
        end();
    }

    private void endAbsence() {
        if (absence != null) {
            absence.end();
            absence = null;
        }
    }

    /** Ends the session; its client is not connected any more. Whatever the delay, the will is due now [MQTT-3.1.3-9]. */
    private void end() {
        if (ended) {
            return;
        }
        ended = true;
        endAbsence();
        parts.end();
        sessions.remove(this);
        publishWill();
    }
}

package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.authorization.decision.ClientRules;
import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.ledger.LoopLedger;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.outbound.HeldMessage;
import io.heddle.core.session.outbound.Outbox;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.session.queue.OpenedFeed;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.subscribe.ClientSubscriptions;
import io.heddle.core.session.subscribe.SessionHandle;
import io.heddle.core.subscription.DeliveryCapacity;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.SessionSubscriber;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's session for the time of one connection. The state of a persistent session that outlives the connection is in its {@link
 * PersistentSession}. Owned by the connection's event loop; {@link #claim} passes the call on.
 *
 * <p>States: opening (the registrar resumes or begins the session) → connected (it has a {@link ClientConnection}) → ending (its many
 * subscriptions are removed in the background while the client's next connection waits) → ended. Bounds: {@link SessionSettings}.
 */
@HotPath
public final class ClientSession implements SessionHandle, OutboundQueue.Listener {
    private static final Logger log = LoggerFactory.getLogger(ClientSession.class);

    private final SessionServices services;
    private final LocalSessions sessions;

    // Of the session.
    private volatile ClientIdentity identity;
    private final ClientRules rules;
    private final EventLoop eventLoop;
    private final Outbox outbox;
    private final ClientSubscriptions subscriptions;
    private final GroupMembership groups = new GroupMembership();
    private final List<ConnectAttempt> waitingAttempts = new ArrayList<>(0);
    // Null if the session is not persistent.
    private @Nullable HeldSession held;
    // The number of the connection if its session is not persistent and the registrar knows it; else 0.
    private long registeredNumber;
    // The epoch in which the client has connected to another node, perhaps before this session is opened; or 0.
    private long closedEpoch;
    private boolean opened;
    private boolean ending;
    private boolean ended;

    private volatile @Nullable ClientConnection connection;

    ClientSession(
            ClientIdentity identity,
            ClientRules rules,
            EventLoop eventLoop,
            SessionServices services,
            LocalSessions sessions) {
        this.identity = identity;
        this.rules = rules;
        this.eventLoop = eventLoop;
        this.services = services;
        this.sessions = sessions;
        this.outbox = new Outbox(identity.clientId(), rules, eventLoop, this, services.outbound());
        this.subscriptions = new ClientSubscriptions(this, services.retained());
    }

    @Override
    public ClientId clientId() {
        return identity.clientId();
    }

    /** The client's identity. Any thread. */
    public ClientIdentity identity() {
        return identity;
    }

    /** The client has proved its identity again, perhaps with changed credentials. On the event loop. */
    void renew(ClientIdentity proven) {
        identity = proven;
    }

    @Override
    public EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public boolean isConnected() {
        return connection != null;
    }

    @Override
    public DeliveryCapacity capacity() {
        return groups.capacity();
    }

    @Override
    public @Nullable PersistentSession persistent() {
        return held == null ? null : held.session();
    }

    @Override
    public long epoch() {
        return held == null ? registeredNumber : held.epoch();
    }

    @Override
    public ClientRules rules() {
        return rules;
    }

    @Override
    public SessionSubscriber subscriber() {
        return held == null ? this : held.session().subscriber();
    }

    @Override
    public ClientSubscriptions subscriptions() {
        return subscriptions;
    }

    @Override
    public Outbox outbox() {
        return outbox;
    }

    /** The connection of the client, or null before and after. */
    @Nullable
    ClientConnection connection() {
        return connection;
    }

    /** The sessions of the other clients of this node. */
    LocalSessions others() {
        return sessions;
    }

    @Override
    public boolean mayReadSys() {
        ClientConnection current = connection;
        return current != null && current.mayReadSys();
    }

    // Messages.

    @Override
    public void proceed() {
        outbox.proceed();
        subscriptions.proceed();
        groups.update(outbox);
    }

    @Override
    public void joinGroup() {
        groups.begin();
        groups.update(outbox);
    }

    @Override
    public boolean deliver(PublishMessage message, DeliveryTerms terms) {
        eventLoop.assertCurrent();
        subscriptions.onLive(message);
        QoS qos = message.qos().min(terms.maximumQos());
        if (!rules.mayReceive(message.topic(), qos)) {
            return outbox.dropped(services.metrics().droppedDenied, qos, message);
        }
        try {
            return deliver(message, qos, message.retain() && terms.retainAsPublished(), terms);
        } catch (RuntimeException fault) {
            // A fault of this session must affect neither the message's other recipients nor its publisher.
            if (qos == QoS.AT_MOST_ONCE) {
                boolean _ = outbox.dropped(services.metrics().droppedFault, qos, message);
            }
            onFault(fault);
            return false;
        }
    }

    @Override
    public void deliverRetained(PublishMessage message, DeliveryTerms terms) {
        LoopLedger ledger = services.metrics().ledger().of(eventLoop);
        ledger.retained();
        ledger.delivered(deliver(message, message.qos().min(terms.maximumQos()), true, terms) ? 1 : 0);
    }

    private boolean deliver(PublishMessage message, QoS qos, boolean retain, DeliveryTerms terms) {
        boolean delivered = false;
        ClientConnection current = connection;
        if (current == null) {
            outbox.passOn(new HeldMessage(message, qos, retain, terms), services.metrics().droppedDisconnected);
        } else if (qos == QoS.AT_MOST_ONCE) {
            delivered = current.deliver(message, retain, terms.subscriptionIdentifiers());
        } else {
            outbox.deliver(new HeldMessage(message, qos, retain, terms));
        }
        groups.update(outbox);
        return delivered;
    }

    @Override
    public void onMessageAvailable() {
        proceed();
    }

    @Override
    public void onQueueLost(ReasonCode code, String reason) {
        disconnect(code, "its session cannot continue: " + reason);
    }

    @Override
    public void disconnect(ReasonCode reason) {
        disconnect(reason, null);
    }

    /** Ends the connection, if there is one. The detail is for the log; null for the usual one. On the event loop. */
    public void disconnect(ReasonCode reason, @Nullable String detail) {
        if (connection != null) {
            connection.end(reason, DisconnectCause.byServer(reason, detail));
        }
    }

    @Override
    public void onFault(RuntimeException fault) {
        services.metrics().faults.increment();
        log.error(
                "A bug closed a client's connection; please report it with this stack: clientId={}", clientId(), fault);
        if (connection != null) {
            connection.fail();
        }
    }

    // Connections.

    /** Decides about a further connection of the client. Any thread; the owner decides. */
    void claim(ConnectAttempt attempt) {
        if (!eventLoop.isCurrent()) {
            eventLoop.execute(() -> claim(attempt));
        } else if (ended) {
            attempt.retry();
        } else if (!opened || ending) {
            waitingAttempts.add(attempt);
        } else if (attempt.isAbandoned()) {
            attempt.abandon();
        } else if (!attempt.identity().mayReplaceSessionOf(identity.userName())) {
            attempt.refuseOtherUser();
        } else {
            waitingAttempts.add(attempt);
            endConnection(attempt);
        }
    }

    /** The client has connected to another node. Any thread; the owner ends the connection if it still has this epoch. */
    void close(long ofEpoch) {
        eventLoop.execute(() -> {
            closedEpoch = ofEpoch;
            if (epoch() == ofEpoch) {
                endConnection(null);
            }
        });
    }

    private void endConnection(@Nullable ConnectAttempt next) {
        if (connection != null) {
            connection.takenOver(next == null ? null : next.remoteAddress());
        }
    }

    void open(ConnectAttempt attempt) {
        services.registrar()
                .open(attempt.request(), attempt::isLost)
                .thenAccept(outcome -> eventLoop.execute(() -> services.feeds()
                        .whenReadable(outcome instanceof OpenOutcome.Opened ? identity.type() : null, eventLoop)
                        .thenAccept(isReadable -> onOutcome(attempt, outcome, isReadable))));
    }

    private void onOutcome(ConnectAttempt attempt, OpenOutcome outcome, boolean isReadable) {
        attempt.onOutcome(this, outcome, isReadable);
        answerWaitingAttempts();
        if (closedEpoch != 0 && epoch() == closedEpoch) {
            endConnection(null);
        }
    }

    /** Takes the persistent session that the registrar has granted, before {@link #attach}. */
    void hold(HeldSession granted, Registration registration) {
        held = granted;
        OpenedFeed feed = services.feeds().open(granted.session(), registration, eventLoop, this);
        outbox.open(identity.type(), feed.queue(), feed.received());
        granted.session().reader(feed.reader());
        subscriptions.resume(granted.session());
    }

    /** The session is not persistent. With a number other than 0 the registrar knows the connection, before {@link #attach}. */
    void register(long number) {
        registeredNumber = number;
    }

    private void answerWaitingAttempts() {
        List<ConnectAttempt> waited = List.copyOf(waitingAttempts);
        waitingAttempts.clear();
        waited.forEach(this::claim);
    }

    /** Connects the client to its session. Called before CONNACK is sent. */
    void attach(ClientConnection connected, int receiveMaximum) {
        eventLoop.assertCurrent();
        opened = true;
        connection = connected;
        rules.refresh();
        outbox.connect(connected.connection(), receiveMaximum);
        sessions.connected(connected.client(), eventLoop);
        if (held != null) {
            // Its messages may be older than the rules.
            rules.checkDeliveries();
            held.attach(this);
            joinGroup();
        }
    }

    /** Starts to send waiting messages, after CONNACK. */
    void beginSending() {
        if (held != null) {
            var _ = services.subscribeService().applyRules(this);
        }
        outbox.begin();
        subscriptions.proceed();
    }

    /** Takes the rules of now. On the event loop. Completes when they are applied. */
    CompletionStage<Void> refreshRules() {
        if (!rules.refresh()) {
            return CompletableFuture.completedStage(null);
        }
        CompletionStage<Void> applied = services.subscribeService().applyRules(this);
        outbox.endPause();
        return applied;
    }

    /**
     * The connection is lost. A will that is due, and not charged any more, is published now, before any message of the next connection, or later.
     *
     * @param release ends the connection; its result completes when the outcome of the client's publishes is known
     * @return completes when the session's end, or its record without a connection, is durable; at once if nothing outlives it
     */
    CompletionStage<Void> detach(
            @Nullable WillMessage due, long expirySeconds, Supplier<@Nullable CompletionStage<Void>> release) {
        eventLoop.assertCurrent();
        Detachment detachment = new Detachment(this, this::endAfter, services);
        CompletionStage<Void> published = detachment.release(release);
        connection = null;
        sessions.disconnected(clientId());
        return held == null
                ? detachment.ofTransient(due, published)
                : detachment.ofPersistent(held, due, expirySeconds, published);
    }

    /** Ends when this work is done, or now if there is none. */
    private void endAfter(@Nullable BackgroundWork rest) {
        if (rest == null) {
            end();
            return;
        }
        ending = true;
        eventLoop.inBackground(() -> {
            boolean isLeft = rest.step();
            if (!isLeft) {
                end();
            }
            return isLeft;
        });
    }

    /** Leaves the sessions of this node. */
    void end() {
        ended = true;
        sessions.remove(this);
        answerWaitingAttempts();
    }
}

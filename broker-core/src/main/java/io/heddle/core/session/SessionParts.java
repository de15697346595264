package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.client.BackgroundWork;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.quota.ClientProgress;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.SessionRegistry.Registration;
import io.heddle.core.subscription.DeliveryCapacity;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.Subscription;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a session holds while its client is connected, each part made with its first use: a session that only exists costs little.
 * Belongs to the session's event loop.
 */
@HotPath
final class SessionParts {
    private static final int MAXIMUM_RETAINED_UNDER_WAY = 64;
    private static final Duration RETAINED_PAUSE = Duration.ofMillis(50);

    private final ClientSession session;
    private final SessionServices services;
    private @Nullable Map<String, Subscription> subscriptions;
    private @Nullable OutboundMessages outbound;
    private @Nullable WaitingMessages waiting;
    private @Nullable ExpirySweep sweep;
    private @Nullable OpenedFeed feed;
    // What an earlier connection has seen received, until its PUBRELs are sent again.
    private List<Long> received = List.of();
    private @Nullable InboundQos2 inboundQos2;
    private @Nullable RetainedReplay retainedReplay;
    // Retained messages on their way into the session's own queue.
    private int retainedUnderWay;
    private boolean retainedAsksAgain;
    // Whether a message was dropped for want of memory since the client acknowledged something last.
    private boolean outOfMemory;

    SessionParts(ClientSession session, SessionServices services) {
        this.session = session;
        this.services = services;
    }

    /** The subscriptions by their filters' text. */
    Map<String, Subscription> subscriptions() {
        PersistentSession persistent = session.persistent();
        if (persistent != null) {
            return persistent.subscriptions();
        }
        Map<String, Subscription> own = subscriptions;
        if (own == null) {
            own = HashMap.newHashMap(1);
            subscriptions = own;
        }
        return own;
    }

    /** The QoS 1 and 2 messages on their way to the client. Only while it is connected. */
    OutboundMessages outbound() {
        OutboundMessages messages = outbound;
        if (messages == null) {
            OpenedFeed numbered = feed;
            messages = numbered == null
                    ? outbound(PacketIdentifiers.IN_MEMORY, waiting())
                    : outbound(PacketIdentifiers.NUMBERED, new FedMessages(numbered.feed()));
            outbound = messages;
        }
        return messages;
    }

    private OutboundMessages outbound(PacketIdentifiers identifiers, OutboundSource source) {
        ClientConnection current = session.conversation();
        if (current == null) {
            throw new IllegalStateException("nothing is sent to a client that is not connected");
        }
        return new OutboundMessages(
                current.connection(),
                current.newSendQuota(),
                identifiers,
                source,
                services.clock(),
                services.metrics());
    }

    private WaitingMessages waiting() {
        WaitingMessages messages = waiting;
        if (messages == null) {
            messages = new WaitingMessages(
                    services.settings().queue(), services.memory(), services.clock(), services.metrics());
            waiting = messages;
        }
        return messages;
    }

    InboundQos2 inboundQos2() {
        InboundQos2 received = inboundQos2;
        if (received == null) {
            received = new InboundQos2(services.memory());
            inboundQos2 = received;
        }
        return received;
    }

    RetainedReplay retainedReplay() {
        RetainedReplay replay = retainedReplay;
        if (replay == null) {
            replay = new RetainedReplay(session, services.subscribeService().retained());
            retainedReplay = replay;
        }
        return replay;
    }

    /** It, or null when there never was one. */
    @Nullable
    RetainedReplay madeRetainedReplay() {
        return retainedReplay;
    }

    /** Whether a retained message above QoS 0 would be taken now. */
    boolean takesRetained() {
        if (feed == null) {
            return outbound == null || outbound.isIdle();
        }
        if (services.subscribeService().admission().isFull()) {
            askForRetainedAgain();
            return false;
        }
        // Those that are applied and not pushed yet are not seen, so only half of the queue is filled.
        int capacity = Math.min(
                MAXIMUM_RETAINED_UNDER_WAY,
                Math.max(1, services.settings().queue().maximumMessages() / 2));
        return retainedUnderWay + outbound().waiting() < capacity;
    }

    /** Nobody tells when there is room in the log again. */
    private void askForRetainedAgain() {
        if (!retainedAsksAgain) {
            retainedAsksAgain = true;
            session.eventLoop().schedule(RETAINED_PAUSE, () -> {
                retainedAsksAgain = false;
                if (session.isConnected()) {
                    session.proceed();
                }
            });
        }
    }

    /** How a message above QoS 0 would be taken. */
    DeliveryCapacity capacity() {
        ClientConnection current = session.conversation();
        if (current == null) {
            return DeliveryCapacity.FULL;
        }
        if (outbound == null || outbound.isIdle()) {
            return current.connection().isWritable() ? DeliveryCapacity.READY : DeliveryCapacity.QUEUEABLE;
        }
        return outOfMemory || (waiting != null && waiting.isFull())
                ? DeliveryCapacity.FULL
                : DeliveryCapacity.QUEUEABLE;
    }

    /** Takes a message above QoS 0 that the sessions of this node hold in memory, or drops and counts it. */
    void deliver(Outgoing message) {
        WaitingMessages queue = waiting();
        if (!hold(message.message(), queue.heldBytes())) {
            outOfMemory = true;
            services.metrics().droppedMemory.increment();
            return;
        }
        queue.add(message);
        outbound().proceed();
        if (!queue.isEmpty() && message.message().canExpire()) {
            sweep(queue).arrange(session.eventLoop());
        }
    }

    /**
     * The publish was accepted, so a client that keeps up gets it: the first message is held whether there is room or not. The more a
     * session holds already, the more room there must be.
     */
    private boolean hold(PublishMessage message, long heldBytes) {
        MemoryBudget memory = services.memory();
        if (heldBytes == 0) {
            memory.hold(message);
            return true;
        }
        return memory.tryHold(message, heldBytes, ClientProgress.STALLED)
                || memory.tryHold(message, heldBytes, outbound().progress());
    }

    private ExpirySweep sweep(WaitingMessages queue) {
        ExpirySweep made = sweep;
        if (made == null) {
            made = new ExpirySweep(queue, services.clock());
            sweep = made;
        }
        return made;
    }

    /** Puts a retained message where everything above QoS 0 for this persistent session comes from. */
    void enqueueRetained(PersistentSession persistent, PublishMessage message, QoS qos, DeliveryTerms terms) {
        retainedUnderWay++;
        AppendAdmission admission = services.subscribeService().admission();
        long bytes = message.heldBytes();
        admission.take(bytes);
        services.log()
                .append(
                        List.of(append(persistent, message, qos, terms.subscriptionIdentifiers())),
                        new MessageLog.AppendCallback() {
                            @Override
                            public void onAppended() {
                                admission.release(bytes);
                                whenReadable(
                                        persistent,
                                        () -> session.eventLoop().execute(SessionParts.this::retainedQueued));
                            }

                            @Override
                            public void onFailed(Throwable reason) {
                                admission.release(bytes);
                                services.metrics().droppedAppendFailed.increment();
                                session.eventLoop().execute(() -> session.lose(ReasonCode.UNSPECIFIED_ERROR));
                            }
                        });
    }

    /** A log is read itself, a queue when what was logged for it is applied. */
    private void whenReadable(PersistentSession persistent, Runnable task) {
        switch (persistent.record().type()) {
            case APPLICATION -> task.run();
            case DEVICE -> services.feeds().positions().whenApplied(persistent.bucket(), task);
        }
    }

    private void retainedQueued() {
        retainedUnderWay--;
        if (session.isConnected()) {
            session.proceed();
        }
    }

    private static LogAppend append(
            PersistentSession persistent, PublishMessage message, QoS qos, List<Integer> identifiers) {
        return switch (persistent.record().type()) {
            case APPLICATION ->
                new LogAppend.ToApplication(
                        persistent.clientId(), persistent.generation(), message, qos, true, identifiers);
            case DEVICE -> {
                QueueRecipient itself =
                        new QueueRecipient(persistent.clientId(), persistent.generation(), qos, true, identifiers);
                yield new LogAppend.ToBucket(persistent.bucket(), new BucketCommand.Enqueue(message, List.of(itself)));
            }
        };
    }

    // The steps of a session's life.

    /** The session goes on with what was kept for it. */
    void open(PersistentSession persistent, Registration registered) {
        OpenedFeed opened = services.feeds().open(persistent, registered, session.eventLoop(), session);
        feed = opened;
        persistent.reader(opened.reader());
        for (int packetId : registered.inboundReceived()) {
            inboundQos2().restore(packetId);
        }
        received = opened.received();
        RetainedReplay left = persistent.takeRetainedReplay();
        if (left != null) {
            left.moveTo(session);
            retainedReplay = left;
        }
    }

    /** CONNACK was sent: sends what waits. */
    void beginSending() {
        if (feed != null) {
            outbound().releaseAgain(received);
            received = List.of();
            feed.feed().begin();
        }
        if (retainedReplay != null) {
            retainedReplay.proceed();
        }
    }

    /** Sends what may be sent now. */
    void proceed() {
        outOfMemory = false;
        if (outbound != null || feed != null) {
            outbound().proceed();
        }
        if (retainedReplay != null) {
            retainedReplay.proceed();
        }
    }

    /** The client of a persistent session has gone. */
    void leave(PersistentSession persistent, long expirySeconds) {
        if (inboundQos2 != null) {
            inboundQos2.end();
        }
        OpenedFeed left = feed;
        if (left == null) {
            return;
        }
        persistent.reader(null);
        if (retainedReplay != null) {
            persistent.retainedReplay(retainedReplay);
        }
        left.feed().end();
        long sentUpTo = left.feed().duplicatesUpTo();
        if (outbound != null) {
            sentUpTo = Math.max(sentUpTo, outbound.next() - 1);
        }
        if (outbound != null) {
            outbound.end(_ -> {});
        }
        if (expirySeconds > 0) {
            services.persistent().disconnect(persistent, left.epoch(), sentUpTo);
        }
    }

    /**
     * The session ends with its connection: unsent messages go to other members of their shared subscriptions or are dropped.
     *
     * @return the rest of the work, or null when nothing is left to do
     */
    @Nullable
    BackgroundWork end() {
        if (inboundQos2 != null) {
            inboundQos2.end();
        }
        BackgroundWork removal = null;
        if (subscriptions != null) {
            removal = services.subscribeService().unsubscribeAll(session, subscriptions);
        }
        if (sweep != null) {
            sweep.stop();
        }
        SharedRedelivery others = new SharedRedelivery(services);
        if (outbound != null) {
            outbound.end(message -> {
                if (message instanceof Outgoing outgoing) {
                    services.memory().release(outgoing.message());
                    if (!others.takeOver(outgoing)) {
                        services.metrics().droppedSessionEnded.increment();
                    }
                }
            });
        }
        if (waiting != null) {
            waiting.clear(others::takeOver);
        }
        return removal != null && removal.step() ? removal : null;
    }
}

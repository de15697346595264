package io.heddle.core.session.outbound;

import io.heddle.core.HotPath;
import io.heddle.core.authorization.decision.ClientRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.PastMessages;
import io.heddle.core.client.ledger.LoopLedger;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.quota.ClientProgress;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.subscription.DeliveryCapacity;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The QoS 1 and 2 messages of one session on their way to its client: an {@link OutboundQueue} and the exchanges over the connection. A
 * session that ends with its connection has a queue in memory, a persistent one a queue or log in a store. Owned by the session's event
 * loop. Parts are created when they are first used, because most sessions never need them.
 *
 * <p>States: created → connected ({@link #connect}) → ended ({@link #disconnect} or {@link #end}).
 */
@HotPath
public final class Outbox {
    /** The highest difference between two sequence numbers in flight of a queue or log in a store. */
    public static final int MAXIMUM_SPAN = PacketIdentifiers.NUMBERED.count() - 2;

    // Dependencies.
    private final ClientId clientId;
    private final ClientRules rules;
    private final EventLoop eventLoop;
    private final OutboundQueue.Listener listener;
    private final OutboundServices services;

    // Of a persistent session, whose queue or log keeps the messages.
    private @Nullable OutboundQueue stored;
    private DeliveryPath path = DeliveryPath.DIRECT;
    // Sequence numbers of the messages answered with PUBREC over earlier connections, until their PUBRELs are resent.
    private List<Long> receivedBefore = List.of();

    // Of the connection.
    private @Nullable Connection connection;
    private int clientReceiveMaximum;
    private @Nullable OutboundMessages messages;

    // Of a session that ends with its connection.
    private @Nullable WaitingMessages waiting;
    private @Nullable ExpirySweep sweep;
    // True if a message was dropped for lack of memory after the last acknowledgement of the client.
    private boolean outOfMemory;
    // Null until it is used.
    private @Nullable Drops drops;
    // Null if nothing is remembered of the client, as of most.
    private PastMessages.@Nullable OfClient past;
    private int pastChanges;

    /**
     * The outbox of a session without a connection.
     *
     * @param listener has messages sent when a limit of the rules allows it again
     */
    public Outbox(
            ClientId clientId,
            ClientRules rules,
            EventLoop eventLoop,
            OutboundQueue.Listener listener,
            OutboundServices services) {
        this.clientId = clientId;
        this.rules = rules;
        this.eventLoop = eventLoop;
        this.listener = listener;
        this.services = services;
    }

    /**
     * Makes this the outbox of a persistent session. Called before {@link #connect}.
     *
     * @param type of the client
     * @param queue keeps the session's messages
     * @param received the sequence numbers of the messages answered with PUBREC over earlier connections, in the order of the PUBRECs
     */
    public void open(ClientType type, OutboundQueue queue, List<Long> received) {
        path = DeliveryPath.ofStored(type);
        stored = queue;
        receivedBefore = received;
    }

    /**
     * The client has a connection. Called before CONNACK is sent.
     *
     * @param receiveMaximum the Receive Maximum of the client
     */
    public void connect(Connection connected, int receiveMaximum) {
        connection = connected;
        clientReceiveMaximum = receiveMaximum;
    }

    /** Starts to send, after CONNACK: first the PUBRELs of earlier exchanges. */
    public void begin() {
        OutboundQueue queue = stored;
        if (queue != null) {
            messages().releaseAgain(receivedBefore);
            receivedBefore = List.of();
            queue.begin();
        }
    }

    /** The exchanges with the client. Only while it is connected. */
    public OutboundMessages messages() {
        OutboundMessages present = messages;
        if (present == null) {
            OutboundQueue queue = stored;
            present = queue == null
                    ? messages(PacketIdentifiers.IN_MEMORY, waiting())
                    : messages(PacketIdentifiers.NUMBERED, queue);
            messages = present;
        }
        return present;
    }

    private OutboundMessages messages(PacketIdentifiers identifiers, OutboundQueue queue) {
        Connection current = connection;
        if (current == null) {
            throw new IllegalStateException("the client is not connected, so nothing can be sent to it");
        }
        SendQuota quota = new SendQuota(maximumInFlight());
        return new OutboundMessages(
                clientId, rules, current, quota, identifiers, path, queue, listener, this, services);
    }

    private WaitingMessages waiting() {
        WaitingMessages present = waiting;
        if (present == null) {
            present = new WaitingMessages(
                    clientId,
                    services.limits(),
                    services.memory(),
                    services.clock(),
                    drops(),
                    services.metrics(),
                    ledger());
            waiting = present;
        }
        return present;
    }

    private LoopLedger ledger() {
        return services.metrics().ledger().of(eventLoop);
    }

    /** Returns whether a further message would be sent at once. */
    public boolean isIdle() {
        return messages == null || messages.isIdle();
    }

    /** Returns whether the client is connected and reads what it is sent, and no limit of the rules delays it now. */
    public boolean isWritable() {
        return connection != null && connection.isWritable() && !isPaused();
    }

    /** Returns whether no PUBLISH may be sent now, because of a limit of the rules. */
    public boolean isPaused() {
        return messages != null && messages.isPaused();
    }

    /** Counts a QoS 0 message of a client with limits for its deliveries. */
    public void sentAtMostOnce(PublishMessage message) {
        messages().sent(message);
    }

    /** The rules have changed, and their limits perhaps, too. */
    public void endPause() {
        if (messages != null) {
            messages.endPause();
        }
    }

    /** The capacity of a connected client for a further message. */
    public DeliveryCapacity capacity() {
        Connection current = connection;
        if (current == null) {
            return DeliveryCapacity.FULL;
        }
        if (isIdle()) {
            return current.isWritable() ? DeliveryCapacity.READY : DeliveryCapacity.QUEUEABLE;
        }
        boolean isQueueFull = path == DeliveryPath.DEVICE
                ? unacknowledged() >= maximumWaiting()
                : waiting != null && waiting.isFull();
        return outOfMemory || isQueueFull ? DeliveryCapacity.FULL : DeliveryCapacity.QUEUEABLE;
    }

    /** Holds a message in memory until it is acknowledged, or drops and counts it. */
    public void deliver(HeldMessage message) {
        WaitingMessages queue = waiting();
        if (!charge(message.message(), queue.heldBytes())) {
            outOfMemory = true;
            boolean _ = dropped(services.metrics().droppedMemory, message.qos(), message.message());
            services.metrics()
                    .incidents()
                    .overflowed(services.memory().limit(), "a message for a client that does not keep up", clientId);
            return;
        }
        queue.add(message);
        messages().proceed();
        if (queue.peek() != null && message.message().canExpire()) {
            sweep(queue).arrange(eventLoop);
        }
    }

    /**
     * Counts a message that is not sent to the client, and remembers it as the latest one.
     *
     * @param qos of the delivery
     * @return false, because nothing was sent
     */
    public boolean dropped(DropReason reason, QoS qos, PublishMessage message) {
        drops().add(reason, qos, message);
        return false;
    }

    /** Returns the messages that this connection was not sent. */
    public Drops drops() {
        Drops present = drops;
        if (present == null) {
            present = new Drops(clientId, services.clock(), services.metrics(), ledger());
            drops = present;
        }
        return present;
    }

    /** Remembers that the client was sent a message, if its messages are remembered. */
    public void remember(PublishMessage message, QoS qos, int packetId, boolean isDuplicate) {
        PastMessages.OfClient present = past();
        if (present != null) {
            present.sent(
                    services.clock().millis(),
                    message.topic().value(),
                    qos,
                    message.payload().length(),
                    packetId,
                    isDuplicate);
        }
    }

    /** Returns the record of the latest messages for the client; null for most clients, of which nothing is remembered. */
    PastMessages.@Nullable OfClient past() {
        PastMessages all = services.metrics().pastMessages;
        int changes = all.changes();
        if (changes != pastChanges) {
            pastChanges = changes;
            past = all.find(clientId);
        }
        return past;
    }

    /** Returns how many messages may be in flight to a connected client. */
    public int maximumInFlight() {
        return Math.min(clientReceiveMaximum, services.maximumInFlight());
    }

    /** Returns the number of messages that were sent and are not acknowledged. */
    public int inFlight() {
        return messages == null ? 0 : messages.inFlight();
    }

    /** Returns the time since which a message has always waited for the client, in milliseconds since 1970; 0 if none waits. */
    public long behindSinceMillis() {
        return messages == null ? 0 : messages.behindSinceMillis();
    }

    /** Returns how many messages may wait for a client whose messages do not wait in a log. */
    public int maximumWaiting() {
        return services.limits().maximumMessages();
    }

    /** Returns the number of messages that were sent and are not acknowledged, or are known to wait. */
    public long unacknowledged() {
        return messages == null ? 0 : messages.waiting();
    }

    /** Returns the number of messages that wait in the memory of this node; those of a persistent session wait in a store. */
    public long waitingInMemory() {
        return waiting == null ? 0 : waiting.waiting();
    }

    /** Returns the bytes of the messages that wait in the memory of this node, as if no other session held them. */
    public long waitingBytes() {
        return waiting == null ? 0 : waiting.waitingBytes();
    }

    /**
     * Charges a message to the node's memory. The publish was accepted, so the first message of a client is charged even without room.
     * The more a session holds already, the more room is required.
     */
    private boolean charge(PublishMessage message, long heldBytes) {
        MemoryBudget memory = services.memory();
        if (heldBytes == 0) {
            memory.charge(message);
            return true;
        }
        return memory.tryCharge(message, heldBytes, ClientProgress.STALLED)
                || memory.tryCharge(message, heldBytes, messages().progress());
    }

    private ExpirySweep sweep(WaitingMessages queue) {
        ExpirySweep present = sweep;
        if (present == null) {
            present = new ExpirySweep(queue, services.clock());
            sweep = present;
        }
        return present;
    }

    /** Sends what may be sent now. */
    public void proceed() {
        outOfMemory = false;
        if (messages != null || stored != null) {
            messages().proceed();
        }
    }

    /**
     * The client of a persistent session is disconnected: its queue or log keeps the messages.
     *
     * @return the highest sequence number that may have been sent
     */
    public long disconnect() {
        connection = null;
        OutboundQueue queue = stored;
        if (queue == null) {
            throw new IllegalStateException("the session ends with its connection");
        }
        queue.end();
        long sentUpTo = queue.duplicatesUpTo();
        if (messages != null) {
            sentUpTo = Math.max(sentUpTo, messages.next() - 1);
            messages.end(_ -> ledger().returned());
        }
        return sentUpTo;
    }

    /** Completes, after {@link #disconnect}, when another node may supply the session. Any thread. */
    public CompletionStage<Void> whenPassedOn() {
        OutboundQueue queue = stored;
        return queue == null ? CompletableFuture.completedStage(null) : queue.whenPassedOn();
    }

    /** The session ends with its connection: other members of shared subscriptions take over its messages, the rest is dropped. */
    public void end() {
        connection = null;
        if (sweep != null) {
            sweep.stop();
        }
        if (messages != null) {
            messages.end(message -> {
                if (message instanceof HeldMessage held) {
                    services.memory().release(held.message());
                    passOn(held, services.metrics().droppedSessionEnded);
                }
            });
        }
        if (waiting != null) {
            waiting.clear(message -> passOn(message, services.metrics().droppedSessionEnded));
        }
    }

    /**
     * Passes on a message that the client will not get, whose memory is released: another member of its shared subscription takes it over,
     * or it is dropped.
     */
    public void passOn(HeldMessage message, DropReason otherwise) {
        if (services.others().takeOver(message)) {
            ledger().passedOn();
        } else {
            otherwise.increment();
            ledger().dropped();
        }
    }
}

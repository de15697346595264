package io.heddle.core.simulation.client;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.simulation.SimNode;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.SimulationFailure;
import io.heddle.core.simulation.World;
import io.heddle.core.simulation.client.Ledger.LostWill;
import io.heddle.core.simulation.client.Ledger.Sent;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client that connects again whenever it has lost its connection, and repeats what was not acknowledged. {@link ClientActions} chooses what
 * it does while it is connected. States: disconnected → connecting → connected → disconnected.
 */
public final class SimClient {
    private static final long TICK_MICROS = 60_000;
    private static final long EXPIRY_SECONDS = 50_000;

    private final World world;
    private final Ledger ledger;
    private final String id;
    private final boolean persistent;
    private final MqttVersion version;
    private final Supplier<@Nullable SimNode> entry;
    private final ClientActions actions;
    private final OutgoingMessages outgoing;

    // The session as the client knows it.
    private @Nullable SessionLog session;
    private final Set<Integer> incoming = new HashSet<>();
    private int sessions;
    private boolean wantsCleanStart;
    // True if the session ends with its connection.
    private boolean isTransient;

    // The connection.
    private @Nullable SimConnection connection;
    private @Nullable SimProcess node;
    private boolean connected;
    private long retryNanos;
    private long silentSinceNanos;
    private long lastAnswerNanos;
    private boolean active = true;
    private boolean onlyReads;
    private boolean onlyConnects;
    private boolean isRetired;
    private @Nullable Sent will;
    // Of its last session, which has ended with its connection; the next CONNACK proves that it is in place.
    private @Nullable LostWill lostWill;

    /** @param entry the process that accepts connections now, or null */
    public SimClient(
            World world,
            Ledger ledger,
            String id,
            boolean persistent,
            MqttVersion version,
            List<String> filters,
            Supplier<@Nullable SimNode> entry) {
        this.world = world;
        this.ledger = ledger;
        this.id = id;
        this.persistent = persistent;
        this.version = version;
        this.entry = entry;
        this.outgoing = new OutgoingMessages(ledger, this);
        this.actions = new ClientActions(world, this, outgoing, filters);
        ledger.add(this);
        world.after(world.environment(), world.random().nextLong(1_000_000), this::tick);
    }

    /** Stops publishing, subscribing and disconnecting: from now on the client only finishes what it has begun. */
    public void settle() {
        active = false;
        isRetired = onlyConnects;
        if (!connected && persistent) {
            retryNanos = 0;
        }
    }

    /** Connects whenever it has lost its connection, until {@link #settle}, and does nothing else. */
    public void onlyConnects() {
        active = false;
        onlyConnects = true;
    }

    void publishTo(String filter) {
        if (connected && active) {
            actions.publishTo(filter);
        }
    }

    /** Publishes one message after {@link #settle}. */
    public void publishLast() {
        actions.publishTo("t/+");
    }

    /** Returns the node of the connection. */
    SimProcess node() {
        return Objects.requireNonNull(node);
    }

    /** Another client gets messages from now on. */
    void onSubscribed(String filter) {
        ledger.subscribed(filter);
    }

    /** Subscribes to its filters and does nothing else. */
    public void onlyReads() {
        active = false;
        onlyReads = true;
    }

    /** Returns whether it is connected and waits for nothing. */
    public boolean isSettled() {
        return connected && outgoing.isEmpty() && actions.isIdle() && incoming.isEmpty();
    }

    /** Returns whether it uses the lowest free Packet Identifier, as many clients do. */
    boolean reusesIds() {
        return persistent && version.hasProperties();
    }

    boolean isPersistent() {
        return persistent;
    }

    @Nullable
    SessionLog session() {
        return session;
    }

    String sessionName() {
        return id + "/" + sessions;
    }

    private void tick() {
        world.after(world.environment(), world.random().nextLong(1_000, TICK_MICROS), this::tick);
        SimConnection present = connection;
        if (present == null) {
            if (world.nanoTime() >= retryNanos && !isRetired) {
                connect();
            }
        } else if (isWaiting() && world.nanoTime() - silentSinceNanos > 4_000_000_000L) {
            world.trace(() -> id + " takes its connection for lost");
            present.closeByClient();
            onClosed(present);
        } else if (connected && active) {
            actions.act();
        } else if (connected && onlyReads && session != null) {
            actions.subscribeToAll(session);
        }
    }

    private boolean isWaiting() {
        return !connected || !outgoing.isEmpty() || !actions.isIdle() || !incoming.isEmpty();
    }

    private void connect() {
        SimNode next = entry.get();
        if (next == null) {
            return;
        }
        node = next.process();
        boolean clean = !persistent || wantsCleanStart;
        if (clean && session != null) {
            session.end();
        }
        isTransient = !persistent || (clean && !version.hasProperties());
        SimConnection opened = new SimConnection(world, this);
        connection = opened;
        silentSinceNanos = world.nanoTime();
        next.accept(opened);
        world.trace(() -> id + " connects to " + next.process() + (clean ? " with Clean Start" : ""));
        Sent announced = active && world.oneIn(3) ? ledger.announceWill(id, isTransient) : null;
        will = announced;
        send(new ConnectPacket(
                version, id, clean, 0, announced == null ? null : message(announced), null, null, properties()));
    }

    private static WillMessage message(Sent will) {
        return new WillMessage(
                TopicName.parse(will.topic, 8), payload(will.id), will.qos, will.retain, 0, PublishProperties.NONE);
    }

    private ConnectProperties properties() {
        return version.hasProperties()
                ? new ConnectProperties(
                        persistent ? EXPIRY_SECONDS : 0,
                        world.oneIn(3) ? 2 : 20,
                        MqttPacket.MAXIMUM_UNSIGNED_INT,
                        0,
                        false,
                        true,
                        List.of(),
                        null,
                        null)
                : ConnectProperties.NONE;
    }

    void send(MqttPacket packet) {
        SimConnection to = connection;
        if (to != null) {
            to.sendToBroker(packet);
        }
    }

    // Actions.

    /** Ends the connection with DISCONNECT, or without. */
    void leave(boolean graceful) {
        SimConnection present = connection;
        if (present != null) {
            world.trace(() -> id + (graceful ? " disconnects" : " loses its connection"));
            if (graceful) {
                // The broker may not get it: then it publishes the will.
                will = null;
                send(DisconnectPacket.of(ReasonCode.SUCCESS, null));
            }
            present.closeByClient();
            onClosed(present);
            retryNanos = world.nanoTime() + world.random().nextLong(1_000_000, 2_000_000_000);
        }
    }

    /** Its next connection begins a new session. */
    void wantCleanStart() {
        wantsCleanStart = true;
    }

    // From the broker.

    void onClosed(SimConnection closed) {
        if (!closed.equals(connection)) {
            return;
        }
        connection = null;
        willIsDue();
        connected = false;
        retryNanos = world.nanoTime() + world.random().nextLong(1_000_000, 400_000_000);
        actions.onClosed();
        if (isTransient) {
            if (session != null) {
                session.end();
                session = null;
            }
            forgetExchanges();
        }
    }

    /** The broker takes the connection for lost. */
    void onTakenOver(SimConnection taken) {
        if (taken.equals(connection)) {
            willIsDue();
        }
    }

    private void willIsDue() {
        Sent due = will;
        will = null;
        if (connected && due != null) {
            world.trace(() -> "the will " + due + " is due");
            lostWill = ledger.willIsDue(due, isTransient, node());
        }
    }

    private void forgetExchanges() {
        outgoing.abandon();
        incoming.clear();
    }

    void onPacket(SimConnection from, MqttPacket packet) {
        if (!from.equals(connection)) {
            return;
        }
        silentSinceNanos = world.nanoTime();
        switch (packet) {
            case ConnAckPacket answer -> onConnAck(answer);
            case PublishPacket publish -> onPublish(publish);
            case PubAckPacket answer -> outgoing.onPubAck(answer.packetId(), answer.reason());
            case PubRecPacket answer -> outgoing.onPubRec(answer.packetId(), answer.reason());
            case PubCompPacket answer -> outgoing.onPubComp(answer.packetId());
            case PubRelPacket release -> {
                incoming.remove(release.packetId());
                answer(new PubCompPacket(release.packetId(), ReasonCode.SUCCESS, null, List.of()));
            }
            case SubAckPacket answer -> actions.onSubAck(answer);
            case UnsubAckPacket answer -> actions.onUnsubAck(answer);
            case DisconnectPacket disconnect -> world.trace(() -> id + " gets DISCONNECT " + disconnect.reason());
            default -> throw new SimulationFailure(id + " gets " + packet);
        }
    }

    private void onConnAck(ConnAckPacket answer) {
        world.trace(() -> id + " gets CONNACK " + answer.reason() + (answer.sessionPresent() ? " present" : ""));
        if (answer.reason().isError()) {
            return;
        }
        connected = true;
        ledger.requireInPlace(lostWill);
        lostWill = null;
        SessionLog known = session;
        boolean clean = !persistent || wantsCleanStart;
        wantsCleanStart = false;
        if (answer.sessionPresent() && clean) {
            throw new SimulationFailure(id + " finds a session in spite of Clean Start");
        }
        if (answer.sessionPresent() && known != null && known.isLive()) {
            outgoing.repeat();
            return;
        }
        if (known != null && known.isLive()) {
            throw new SimulationFailure(known + " is lost");
        }
        if (known != null) {
            known.gone();
        }
        forgetExchanges();
        sessions++;
        session = ledger.begin(id, isTransient);
    }

    private void onPublish(PublishPacket publish) {
        String payload = new String(publish.payload().array(), StandardCharsets.UTF_8);
        SessionLog of = session;
        if (of == null) {
            throw new SimulationFailure(id + " gets " + payload + " without a session");
        }
        world.trace(() -> id + " gets " + payload + " at " + publish.qos() + " id " + publish.packetId()
                + (publish.duplicate() ? " DUP" : "") + (publish.retain() ? " RETAIN" : ""));
        boolean repeated = publish.qos() == QoS.EXACTLY_ONCE && !incoming.add(publish.packetId());
        if (!repeated) {
            of.received(ledger.find(payload), publish.qos(), publish.retain());
        }
        switch (publish.qos()) {
            case AT_MOST_ONCE -> {}
            case AT_LEAST_ONCE -> answer(new PubAckPacket(publish.packetId(), ReasonCode.SUCCESS, null, List.of()));
            case EXACTLY_ONCE -> answer(new PubRecPacket(publish.packetId(), ReasonCode.SUCCESS, null, List.of()));
        }
    }

    /** Answers after a while, in the order of the packets [MQTT-4.6.0-2]. */
    private void answer(MqttPacket packet) {
        SimConnection to = connection;
        long micros = world.oneIn(50)
                ? world.random().nextLong(500_000)
                : world.random().nextLong(3_000);
        lastAnswerNanos = Math.max(lastAnswerNanos + 1, world.nanoTime() + micros * 1_000);
        world.at(world.environment(), lastAnswerNanos, () -> {
            if (to != null && to.equals(connection)) {
                send(packet);
            }
        });
    }

    static BinaryData payload(String text) {
        return BinaryData.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    World world() {
        return world;
    }

    @Override
    public String toString() {
        return id;
    }
}

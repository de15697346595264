package io.heddle.core.simulation.client;

import io.heddle.core.client.ClientCertificate;
import io.heddle.core.client.ClientNames;
import io.heddle.core.client.Connection;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.session.ClientConnection;
import io.heddle.core.session.ConnectService;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A network connection: the broker's side, and packets under way in both directions, each in order. A packet that has left the broker
 * arrives although the process is killed. States of each side: open → closed.
 */
public final class SimConnection implements Connection {
    private static final Duration LATE = Duration.ofMillis(5);

    private final World world;
    private final SimClient client;
    private @Nullable SimProcess process;
    private @Nullable EventLoop loop;
    private @Nullable ConnectService connectService;
    private Consumer<MqttPacket> sent = _ -> {};
    private @Nullable ClientConnection established;
    private final ArrayDeque<MqttPacket> unread = new ArrayDeque<>();
    private MqttVersion version = MqttVersion.V5;
    private final ClientNames names = new ClientNames();
    private boolean open = true;
    private boolean reading = true;
    private boolean clientOpen = true;
    private long lastToBroker;
    private long lastToClient;

    SimConnection(World world, SimClient client) {
        this.world = world;
        this.client = client;
    }

    /** A process has accepted the connection. */
    public void accepted(SimProcess by, EventLoop on, ConnectService service, Consumer<MqttPacket> onSent) {
        process = by;
        sent = onSent;
        loop = on;
        connectService = service;
    }

    // The client's side.

    boolean isOpenForClient() {
        return clientOpen;
    }

    /** Sends a packet to the broker. */
    void sendToBroker(MqttPacket packet) {
        toBroker(() -> arrive(packet));
    }

    /** The client closes the connection, or takes it for lost. The broker notices later. */
    void closeByClient() {
        if (clientOpen) {
            clientOpen = false;
            toBroker(this::lost);
        }
    }

    private void toBroker(Runnable task) {
        SimProcess to = process;
        EventLoop on = loop;
        if (to != null && on != null) {
            lastToBroker = Math.max(lastToBroker + 1, world.nanoTime() + networkDelayMicros() * 1_000);
            world.at(to, lastToBroker, () -> on.execute(task));
        }
    }

    private long networkDelayMicros() {
        return world.oneIn(100)
                ? world.random().nextLong(1_000, 50_000)
                : world.random().nextLong(20, 1_000);
    }

    private void toClient(Runnable task) {
        lastToClient = Math.max(lastToClient + 1, world.nanoTime() + networkDelayMicros() * 1_000);
        world.at(world.environment(), lastToClient, () -> {
            if (clientOpen) {
                task.run();
            }
        });
    }

    private void closeForClient() {
        toClient(() -> {
            clientOpen = false;
            client.onClosed(this);
        });
    }

    /** The broker's process is dead: its kernel closes the connection. */
    public void onProcessKilled() {
        closeForClient();
    }

    /** Another process is about to take the place of the broker's. */
    public void onTakenOver() {
        if (clientOpen) {
            client.onTakenOver(this);
        }
    }

    /** Returns whether both sides have the connection. */
    public boolean isEstablished() {
        return open && clientOpen && established != null;
    }

    public String clientId() {
        return client.toString();
    }

    /** The network loses the connection. */
    public void reset() {
        closeForClient();
        toBroker(this::lost);
    }

    /** The network loses the connection, and what is on its way to the client. */
    public void breakOff() {
        if (clientOpen) {
            clientOpen = false;
            world.after(world.environment(), networkDelayMicros(), () -> client.onClosed(this));
            toBroker(this::lost);
        }
    }

    // The broker's side, on the event loop.

    private void arrive(MqttPacket packet) {
        if (!open) {
            return;
        }
        ConnectService service = connectService;
        if (packet instanceof ConnectPacket connect && service != null) {
            version = connect.version();
            service.connect(this, connect, _ -> {}, connection -> {
                established = connection;
                read();
            });
        } else if (packet instanceof SubscribePacket && world.has(Mistake.PUBLISH_OVERTAKES_SUBSCRIBE)) {
            eventLoop().schedule(LATE, () -> pass(packet));
        } else {
            pass(packet);
        }
    }

    private void pass(MqttPacket packet) {
        unread.add(packet);
        read();
    }

    private void read() {
        ClientConnection to = established;
        while (to != null && open && reading && !unread.isEmpty()) {
            try {
                to.receive(unread.remove());
            } catch (ProtocolException refused) {
                reject(refused);
            }
        }
    }

    private void lost() {
        if (open) {
            open = false;
            onLost();
        }
    }

    private void onLost() {
        ClientConnection lost = established;
        if (lost != null) {
            established = null;
            lost.onConnectionLost(DisconnectCause.CLOSED_BY_CLIENT);
        }
    }

    @Override
    public EventLoop eventLoop() {
        EventLoop on = loop;
        if (on == null) {
            throw new IllegalStateException("no process has accepted the connection");
        }
        return on;
    }

    @Override
    public @Nullable ClientCertificate certificate() {
        return null;
    }

    @Override
    public ClientNames names() {
        return names;
    }

    @Override
    public String listener() {
        return "mqtt";
    }

    @Override
    public SocketAddress remoteAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);
    }

    @Override
    public boolean send(MqttPacket packet) {
        eventLoop().assertCurrent();
        if (open) {
            toClient(() -> client.onPacket(this, packet));
            sent.accept(packet);
        }
        return open;
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public boolean hasRoomFor(BinaryData payload) {
        return true;
    }

    @Override
    public boolean isCongested() {
        return false;
    }

    @Override
    public boolean takesOutput() {
        return true;
    }

    @Override
    public int unfinishedBytes() {
        return 0;
    }

    @Override
    public void pauseReading() {
        reading = false;
    }

    @Override
    public void resumeReading() {
        reading = true;
        eventLoop().execute(this::read);
    }

    @Override
    public void reject(ProtocolException violation) {
        world.trace(() -> client + " is refused: " + violation.getMessage());
        if (version.hasProperties()) {
            var _ = send(DisconnectPacket.of(violation.reason(), null));
        }
        close();
    }

    @Override
    public void close() {
        eventLoop().assertCurrent();
        if (open) {
            open = false;
            closeForClient();
            eventLoop().execute(this::onLost);
        }
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isDraining() {
        return false;
    }
}
